import { sql } from "kysely";
import type { Clock } from "../../clock/index.ts";
import type { Db } from "../../db/index.ts";
import type { Cron } from "../../jobs/index.ts";
import { refill, tooManyRequests } from "./rate-limit.ts";
import type { Rate } from "./rate-limit.ts";

/** Tolerance for floating-point rounding of a token that was just refilled. */
const rounding = 0.001;

interface LimitDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Takes tokens from a bucket in the database, which all processes share; throws ERR_TOO_MANY_REQUESTS when it holds too
 * few. For sign-in and password reset by account, not for every request.
 */
export async function enforceSharedLimit(services: LimitDeps, key: string, rate: Rate, cost = 1): Promise<void> {
  if (!(await takeSharedTokens(services, key, rate, cost))) {
    throw tooManyRequests(await readSharedTokens(services, key, rate), rate, cost);
  }
}

/**
 * The same, but returns false when it holds too few. One statement, so that a hundred parallel attempts count as a
 * hundred. A refused attempt changes nothing, so that the bucket refills while attempts go on.
 */
export async function takeSharedTokens({ db, clock }: LimitDeps, key: string, rate: Rate, cost = 1): Promise<boolean> {
  const now = clock.now();
  const filled = sql`least(${rate.max}, bucket.tokens
    + greatest(0, extract(epoch from ${now}::timestamptz - bucket.updated_at)) * ${rate.max / rate.perSeconds})`;
  const { rows } = await sql`
    insert into rate_limits as bucket (key, tokens, updated_at) values (${key}, ${rate.max - cost}, ${now})
    on conflict (key) do update set tokens = greatest(0, ${filled} - ${cost}), updated_at = greatest(bucket.updated_at, ${now})
      where ${filled} > ${cost - rounding}
    returning key`.execute(db.system);
  return rows.length > 0;
}

/** Tokens in a shared bucket now. */
export async function readSharedTokens({ db, clock }: LimitDeps, key: string, rate: Rate): Promise<number> {
  const { rows } = await sql<{ tokens: number; at: Date }>`
    select tokens, updated_at as at from rate_limits where key = ${key}`.execute(db.system);
  const [bucket] = rows;
  return bucket ? refill({ tokens: bucket.tokens, at: bucket.at.getTime() }, rate, clock.now().getTime()) : rate.max;
}

/** Returns one token, when the attempt turned out to be legitimate. */
export async function returnSharedToken({ db }: Pick<LimitDeps, "db">, key: string, rate: Rate): Promise<void> {
  await sql`update rate_limits set tokens = least(${rate.max}, tokens + 1) where key = ${key}`.execute(db.system);
}

/** Refills the bucket, as after a successful sign-in. */
export async function resetSharedLimit(db: Db, key: string): Promise<void> {
  await sql`delete from rate_limits where key = ${key}`.execute(db.system);
}

/** Deletes buckets that were not used for a day; they are full again. */
export const pruneLimits: Cron = {
  name: "rate-limits.prune",
  everySeconds: 3_600,
  run: async ({ db }) => {
    await sql`delete from rate_limits where updated_at < now() - interval '1 day'`.execute(db.system);
  },
};
