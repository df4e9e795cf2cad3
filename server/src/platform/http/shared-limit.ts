import { sql } from "kysely";
import type { Clock } from "../clock/index.ts";
import type { Db } from "../db/index.ts";
import type { Cron } from "../jobs/index.ts";
import { tooMany } from "./rate-limit.ts";
import type { Rate } from "./rate-limit.ts";

/**
 * Takes one token of a bucket that all processes share; throws ERR_TOO_MANY_REQUESTS when it is empty. One statement,
 * so that a hundred tries at once count as a hundred. It costs a write: for sign-in and reset by account, uploads, imports,
 * cookies that open nothing; not for every request.
 */
export async function limitEverywhere(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  key: string,
  rate: Rate,
): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<{ tokens: number }>`
    insert into rate_limits as bucket (key, tokens, updated_at) values (${key}, ${rate.max - 1}, ${now})
    on conflict (key) do update
      set tokens = greatest(-1, least(${rate.max}, greatest(bucket.tokens, 0)
            + greatest(0, extract(epoch from ${now}::timestamptz - bucket.updated_at)) * ${rate.max / rate.perSeconds}) - 1),
          updated_at = ${now}
    returning tokens`.execute(db.system);
  const tokens = rows[0]?.tokens ?? 0;
  if (tokens < 0) {
    throw tooMany(tokens + 1, rate);
  }
}

/** Gives the bucket back, as after a sign-in that worked. */
export async function forgetLimit(db: Db, key: string): Promise<void> {
  await sql`delete from rate_limits where key = ${key}`.execute(db.system);
}

/** Buckets that nobody touched for a day are full again. */
export const pruneLimits: Cron = {
  name: "rate-limits.prune",
  everySeconds: 3_600,
  run: async ({ db }) => {
    await sql`delete from rate_limits where updated_at < now() - interval '1 day'`.execute(db.system);
  },
};
