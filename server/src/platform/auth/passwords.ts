import { hash, verify } from "@node-rs/argon2";

/** OWASP's first recommendation for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hash of a password that nobody has, made once, so that an unknown account costs the same time. */
let dummy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** Is it the password of this hash? Without a hash (unknown account) it takes as long and is never right. */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword("no account has this password");
  const isRight = await verify(hashed ?? (await dummy), password);
  return isRight && hashed !== undefined;
}
