import { hash, verify } from "@node-rs/argon2";
import { verify as verifyBcrypt } from "@node-rs/bcrypt";
import PQueue from "p-queue";

/** OWASP's first recommendation for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Dummy hash, so that an unknown account takes as long as a known one. */
let dummy: Promise<string> | undefined;

/** bcrypt: accounts that moved in keep its hash until they sign in for the first time (decision 0233). */
const legacyScheme = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/u;
/** Above it one guess would keep a thread busy for a second and longer. */
const maxLegacyRounds = 12;

/** A hash runs in a thread of libuv's pool of four; files and name look-ups need the other two. */
const threads = new PQueue({ concurrency: 2 });

export function hashPassword(password: string): Promise<string> {
  return threads.add(() => hash(password, cost));
}

/** What bcrypt of eight rounds, the family's cost, takes less than ours. */
const filling = { memoryCost: 7_168, timeCost: 1, parallelism: 1 };

/**
 * Verifies a password. Without a hash (unknown account) it takes as long and returns false; so it does with a legacy hash of the
 * usual cost, because the time must not tell which accounts there are.
 */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  if (hashed !== undefined && isLegacyHash(hashed)) {
    return threads.add(async () => {
      const isMatch = await verifyBcrypt(password, hashed);
      await hash(password, filling);
      return isMatch;
    });
  }
  dummy ??= hashPassword("no account has this password");
  const known = hashed ?? (await dummy);
  const isMatch = await threads.add(() => verify(known, password));
  return isMatch && hashed !== undefined;
}

/** Whether a hash is of a scheme that is replaced by ours when its password is proved. Pure. */
export function isLegacyHash(hashed: string): boolean {
  const rounds = legacyScheme.exec(hashed)?.[1];
  return rounds !== undefined && Number(rounds) <= maxLegacyRounds;
}
