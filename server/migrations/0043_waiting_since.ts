import { sql } from "kysely";
import type { Kysely } from "kysely";
import { APP_ROLE, buildIndexConcurrently, SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/** Tickets by their id: a batch reads and writes few enough that no conversation waits for it. */
const BATCH = 2_000;

/**
 * Since when the contact of each ticket waits (decision 0158). Conversations go on while their column is filled and the index
 * is built. What a process of the release before writes meanwhile is right after the contact's or our next word.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tickets add column if not exists waiting_since timestamptz`.execute(db);
  for (const companyId of await readCompanyIds(db)) {
    await fillCompany(db, companyId);
  }
  // In the order of the list of waiting tickets. Closed tickets do not wait, and are most of the table.
  await buildIndexConcurrently(
    db,
    "tickets_waiting",
    sql`index`,
    sql`on tickets (company_id, status, waiting_since, last_message_at desc, id desc) where status <> 'closed'`,
  );
}

/** The limits of each queue after which waiting is shown in amber and in red; the defaults are those of the contract. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table queues
      add column wait_warning_minutes int not null default 15,
      add column wait_limit_minutes int not null default 60,
      add constraint queues_wait_limits_check check (wait_warning_minutes >= 0 and wait_limit_minutes >= 0 and
        (wait_warning_minutes = 0 or wait_limit_minutes = 0 or wait_warning_minutes < wait_limit_minutes))`.execute(db);
}

async function readCompanyIds(db: Kysely<unknown>): Promise<number[]> {
  const { rows } = await asRole(db, SYSTEM_ROLE, null, (trx) =>
    sql<{ id: number }>`select id from companies order by id`.execute(trx),
  );
  return rows.map(({ id }) => id);
}

async function fillCompany(db: Kysely<unknown>, companyId: number): Promise<void> {
  for (let after: number | null = 0; after !== null;) {
    after = await asRole(db, APP_ROLE, companyId, (trx) => fillBatch(trx, companyId, after ?? 0));
  }
}

/**
 * From the messages of the running episode: the first one of the contact after our last one by a person. A pending ticket
 * without such a message waits since that last one, unless it was written on the phone, or else since its episode began.
 * Returns the last id, or null at the end.
 */
async function fillBatch(db: Kysely<unknown>, companyId: number, after: number): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    with batch as materialized (
      select t.id, t.status, e.queued_at from tickets t join episodes e on e.id = t.episode_id
      where t.company_id = ${companyId} and t.id > ${after} and t.status <> 'closed' order by t.id limit ${BATCH}),
    waits as (
      select b.id, coalesce(word.at, case
          when b.status = 'open' or answer.is_from_phone then null
          else date_trunc('second', coalesce(answer.sent_at, b.queued_at)) end) as since
      from batch b
      left join lateral (
        select m.sent_at, m.id, m.client_id is null as is_from_phone from messages m
        where m.ticket_id = b.id and m.from_me and not m.is_automatic and m.sent_at >= date_trunc('second', b.queued_at)
        order by m.sent_at desc, m.id desc limit 1) answer on true
      left join lateral (
        select min(m.sent_at) as at from messages m
        where m.ticket_id = b.id and not m.from_me and m.sent_at >= date_trunc('second', b.queued_at)
          and (answer.id is null or (m.sent_at, m.id) > (answer.sent_at, answer.id))) word on true),
    filled as (
      update tickets t set waiting_since = w.since from waits w
      where t.company_id = ${companyId} and t.id = w.id and t.status <> 'closed' and w.since is not null
        and t.waiting_since is null)
    select max(id) as last from batch`.execute(db);
  return rows[0]?.last ?? null;
}

/** Row-level security holds for the owner of the tables too, unless that is a superuser. */
function asRole<T>(
  db: Kysely<unknown>,
  role: string,
  companyId: number | null,
  work: (db: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`set local role ${sql.id(role)}`.execute(trx);
    await sql`select set_config('app.company_id', ${String(companyId ?? "")}, true)`.execute(trx);
    return work(trx);
  });
}
