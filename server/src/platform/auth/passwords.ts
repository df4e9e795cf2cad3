import { hash, verify } from "@node-rs/argon2";

/** OWASP's first recommendation for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Dummy hash, so that an unknown account takes as long as a known one. */
let dummy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** Verifies a password. Without a hash (unknown account) it takes as long and returns false. */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword("no account has this password");
  const isMatch = await verify(hashed ?? (await dummy), password);
  return isMatch && hashed !== undefined;
}
