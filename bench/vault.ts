import { createVault } from "../server/src/platform/auth/index.ts";

/** Cost of encrypting the keys of a line's first login, all at once. */
const KEYS = 812;

export function measureVault(): [what: string, value: number][] {
  const vault = createVault(["a secret that only the bench knows of"]);
  const began = performance.now();
  for (let key = 0; key < KEYS; key += 1) {
    vault.seal(Buffer.alloc(64), `wa-key:1:pre-key:${key}`);
  }
  return [["sealing the keys of a first login: ms", performance.now() - began]];
}
