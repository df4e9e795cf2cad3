import { createVault } from "../server/src/platform/auth/index.ts";

/** What the credentials of a line's first login cost: that many keys are sealed at once. */
const KEYS = 812;

export function measureVault(): [what: string, value: number][] {
  const vault = createVault(["a secret that only the bench knows of"]);
  const began = performance.now();
  for (let key = 0; key < KEYS; key += 1) {
    vault.seal(Buffer.alloc(64), `wa-key:1:pre-key:${key}`);
  }
  return [["sealing the keys of a first login: ms", performance.now() - began]];
}
