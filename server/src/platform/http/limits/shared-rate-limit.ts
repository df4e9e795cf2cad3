import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Clock } from "../../clock/index.ts";
import type { Db } from "../../db/index.ts";
import type { Cron } from "../../jobs/index.ts";
import { refill, tooManyRequests } from "./rate-limit.ts";
import type { Rate } from "./rate-limit.ts";

/** Tolerance for floating-point rounding of a token that was just refilled. */
const rounding = 0.001;

export interface LimitDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Takes tokens from a bucket in the database, which all processes share; throws ERR_TOO_MANY_REQUESTS when it holds too
 * few. For sign-in and password reset by account (A-11), not for every request.
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
  const filled = filledAt(rate, now);
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

/** A bucket in the database. */
export interface SharedBucket {
  readonly key: string;
  readonly rate: Rate;
}

/**
 * WITH items that take tokens from buckets one after the other, and from none behind one that holds too few; `spent` is
 * the keys of those that gave. For a statement that reads something besides. Each statement over several buckets locks
 * them in the order that it is given, so the callers of one kind keep one order.
 */
export function spendTokens(
  { clock }: Pick<LimitDeps, "clock">,
  buckets: readonly (SharedBucket & { readonly cost?: RawBuilder<number> })[],
): RawBuilder<unknown> {
  const now = clock.now();
  const steps = buckets.map(({ key, rate, cost = sql`1` }, index) => {
    const filled = filledAt(rate, now);
    const isNext = index === 0 ? sql`true` : sql`exists (select from ${sql.ref(`spent_${index - 1}`)})`;
    return sql`${sql.ref(`spent_${index}`)} as (
      insert into rate_limits as bucket (key, tokens, updated_at)
      select ${key}::text, ${rate.max}::float8 - ${cost}, ${now}::timestamptz where ${isNext}
      on conflict (key) do update
        set tokens = greatest(0, ${filled} - ${cost}), updated_at = greatest(bucket.updated_at, ${now})
        where ${filled} > ${cost} - ${rounding}::float8
      returning key)`;
  });
  const all = buckets.map((_, index) => sql`select key from ${sql.ref(`spent_${index}`)}`);
  return sql`${sql.join(steps)}, spent as (${sql.join(all, sql` union all `)})`;
}

/** Tokens in a bucket now, as an expression. */
export function tokensNow({ clock }: Pick<LimitDeps, "clock">, { key, rate }: SharedBucket): RawBuilder<number> {
  return sql<number>`coalesce((select ${filledAt(rate, clock.now())} from rate_limits bucket where bucket.key = ${key}),
    ${rate.max}::float8)`;
}

/** What an attempt gives back: what it cost to some buckets, and everything to others, as after a right password. */
export interface GivenBack {
  readonly returned: readonly (SharedBucket & { readonly cost?: number })[];
  readonly reset: readonly string[];
}

/** WITH items that give tokens back, after the item named `after`; none where nothing is. Locks `returned` first, then `reset`. */
export function giveBackTokens({ returned, reset }: GivenBack, after: string): RawBuilder<unknown> | undefined {
  if (returned.length + reset.length === 0) {
    return undefined;
  }
  let former = after;
  const next = (change: RawBuilder<unknown>) => {
    const name = `given_${former === after ? 0 : Number(former.slice("given_".length)) + 1}`;
    const isNext = sql`(select count(*) from ${sql.ref(former)}) >= 0`;
    former = name;
    return sql`${sql.ref(name)} as (${change} and ${isNext} returning key)`;
  };
  return sql.join([
    ...returned.map(({ key, rate, cost = 1 }) =>
      next(sql`update rate_limits set tokens = least(${rate.max}::float8, tokens + ${cost}) where key = ${key}`),
    ),
    ...reset.map((key) => next(sql`delete from rate_limits where key = ${key}`)),
  ]);
}

/** Gives tokens back, in one statement by itself. */
export async function returnSharedTokens({ db }: Pick<LimitDeps, "db">, given: GivenBack): Promise<void> {
  const tokens = giveBackTokens(given, "settled");
  if (tokens) {
    await sql`with settled as (select), ${tokens} select`.execute(db.system);
  }
}

/** Refills the bucket, as after a successful sign-in. */
export async function resetSharedLimit(db: Db, key: string): Promise<void> {
  await returnSharedTokens({ db }, { returned: [], reset: [key] });
}

function filledAt(rate: Rate, now: Date): RawBuilder<number> {
  return sql`least(${rate.max}::float8, bucket.tokens
    + greatest(0, extract(epoch from ${now}::timestamptz - bucket.updated_at)::float8) * ${rate.max / rate.perSeconds}::float8)`;
}

/** Deletes buckets that were not used for a day; they are full again. */
export const pruneLimits: Cron = {
  name: "rate-limits.prune",
  everySeconds: 3_600,
  run: async ({ db }) => {
    await sql`delete from rate_limits where updated_at < now() - interval '1 day'`.execute(db.system);
  },
};
