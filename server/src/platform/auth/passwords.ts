import { hash, verify } from "@node-rs/argon2";
import PQueue from "p-queue";

/** OWASP's first recommendation for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Dummy hash, so that an unknown account takes as long as a known one. */
let dummy: Promise<string> | undefined;

/** A hash runs in a thread of libuv's pool of four; files and name look-ups need the other two. */
const threads = new PQueue({ concurrency: 2 });

export function hashPassword(password: string): Promise<string> {
  return threads.add(() => hash(password, cost));
}

/** Verifies a password. Without a hash (unknown account) it takes as long and returns false. */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword("no account has this password");
  const known = hashed ?? (await dummy);
  const isMatch = await threads.add(() => verify(known, password));
  return isMatch && hashed !== undefined;
}
