import { sql } from "kysely";
import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "./setup.tables.ts";

/** Held until the transaction ends: of two that would create the operator at once the second one sees what the first did. */
export async function lockSetup(tx: SystemTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('setup', 0))`.execute(tx.db);
}

/** Stores the seed unless there is one that is younger than `since`, and returns the one that holds. */
export async function renewSeed(
  tx: SystemTx,
  { seed, now, since }: { readonly seed: string; readonly now: Date; readonly since: Date },
): Promise<string> {
  const { rows } = await sql<{ seed: string }>`
    insert into setup_code as held (seed, made_at) values (${seed}, ${now})
    on conflict (only_one) do update set
      seed = case when held.made_at > ${since} then held.seed else excluded.seed end,
      made_at = case when held.made_at > ${since} then held.made_at else excluded.made_at end
    returning held.seed`.execute(tx.db);
  return rows[0]!.seed;
}

export async function findSeed(tx: SystemTx, since: Date): Promise<string | undefined> {
  const row = await tx.db.selectFrom("setup_code").select("seed").where("made_at", ">", since).executeTakeFirst();
  return row?.seed;
}

export async function deleteSeed(tx: SystemTx): Promise<void> {
  await tx.db.deleteFrom("setup_code").execute();
}
