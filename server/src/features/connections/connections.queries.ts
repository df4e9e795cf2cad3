import type { ConnectionFacts } from "@prosa/contract";
import { sql } from "kysely";
import type { Selectable, Updateable } from "kysely";
import type { Assistants } from "#server/features/queues/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { ConnectionsTable } from "./connections.tables.ts";
import type { LineLimitsTable } from "./lines.tables.ts";

/** Times as ISO text: it comes as JSON. */
export type StoredLimit = Pick<
  Selectable<LineLimitsTable>,
  "lock_cause" | "quota_level" | "quota_used" | "quota_total"
> & { readonly locked_until: string | null; readonly quota_until: string | null };

export type ConnectionRow = Omit<
  Selectable<ConnectionsTable>,
  "company_id" | "created_at" | "token_hash" | "lid" | "linked_at" | "is_lively" | "deleted_at"
> & {
  readonly has_token: boolean;
  readonly limit: StoredLimit | null;
  readonly number_holder: string | null;
  readonly queues: { id: number; name: string; color: string }[];
};
export type ConnectionChanges = Omit<Updateable<ConnectionsTable>, "id" | "company_id">;

/**
 * SQL of the connection of a row `alias`: null as soon as it is deleted. Row-level security hides it then, while the column
 * keeps its id until a job clears it (docs/decisions/0295).
 */
export const connectionIdSql = (alias: string) =>
  `(select k.id from connections k where k.id = ${alias}.connection_id)`;

/**
 * SQL: has the connection of a row `alias` this number? It is connected with it, or is linked with it and would connect again: by itself,
 * or by "try again" after it was replaced. A line that shows a code has a pairing that may never be finished; one that was logged out
 * is not let in any more, even where its credentials could not be deleted.
 */
export const holdsNumberSql = (alias: string, number: string) =>
  `(case when ${alias}.reason = 'otherNumber' then ${alias}.pending_number else ${alias}.number end = ${number}
    and (${alias}.status = 'CONNECTED'
      or (${alias}.wanted = 'up' and ${alias}.status not in ('qrcode', 'PAIRING')
        and coalesce(${alias}.reason, '') not in ('notScanned', 'codeRefused', 'loggedOut')
        and exists (select from wa_creds k where k.connection_id = ${alias}.id and k.round = ${alias}.session_round))))`;

function selectConnections(ctx: Ctx) {
  return ctx.db
    .selectFrom("connections as w")
    .select([
      "w.id",
      "w.name",
      "provider",
      "status",
      "reason",
      "qrcode",
      "pairing_code",
      "pairing_expires_at",
      "number",
      "pending_number",
      "is_default",
      "retries",
      "wanted",
      "session_round",
      "pairing_number",
      "greeting_message",
      "complation_message",
      "out_of_hours_message",
      "rating_message",
      "prompt_id",
      "integration_id",
      "transfer_queue_id",
      "time_to_transfer",
      "expires_ticket",
      "expires_inactive_message",
      "max_use_bot_queues",
      "time_use_bot_queues",
      "language",
      "updated_at",
      sql<boolean>`token_hash is not null`.as("has_token"),
      sql<ConnectionRow["queues"]>`coalesce((
        select json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by cq.position, q.id)
        from connection_queues cq join queues q on q.id = cq.queue_id where cq.connection_id = w.id), '[]')`.as(
        "queues",
      ),
      sql<StoredLimit | null>`(
        select json_build_object('lock_cause', lock_cause, 'quota_level', quota_level, 'quota_used', quota_used,
          'quota_total', quota_total, 'quota_until', quota_until,
          'locked_until', case when new_chats_locked then new_chats_locked_until end)
        from line_limits l where l.connection_id = w.id)`.as("limit"),
      // None where the line that had it was disconnected meanwhile: then a new QR is all that is missing.
      sql<string | null>`case when w.reason = 'sameNumber' then (
        select h.name from connections h
        where h.company_id = w.company_id and h.id <> w.id and ${sql.raw(holdsNumberSql("h", "w.pending_number"))}
        order by h.status = 'CONNECTED' desc, h.id limit 1) end`.as("number_holder"),
    ])
    .where("w.company_id", "=", ctx.companyId);
}

/** Oldest first. */
export async function findConnections(ctx: Ctx): Promise<ConnectionRow[]> {
  return selectConnections(ctx).orderBy("w.id").execute();
}

export async function findConnection(ctx: Ctx, id: number): Promise<ConnectionRow | undefined> {
  return selectConnections(ctx).where("w.id", "=", id).executeTakeFirst();
}

/** Serializes the decisions of a company about its default connection. */
export async function lockDefaultConnection(ctx: Ctx): Promise<void> {
  await sql`select from companies where id = ${ctx.companyId} for no key update`.execute(ctx.db);
}

/** Serializes changes of a connection's fields; what is stored for it meanwhile does not wait. */
export async function lockFields(ctx: Ctx, id: number): Promise<void> {
  await sql`select from connections where company_id = ${ctx.companyId} and id = ${id} for no key update`.execute(
    ctx.db,
  );
}

export async function findDefaultConnectionId(ctx: Ctx): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("connections")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("is_default", "=", true)
    .executeTakeFirst();
  return row?.id;
}

export async function findOldestConnectionId(ctx: Ctx): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("connections")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export async function insertConnection(ctx: Ctx, name: string, fields: ConnectionChanges): Promise<number> {
  const { id } = await ctx.db
    .insertInto("connections")
    .values({ ...fields, name, company_id: ctx.companyId, updated_at: ctx.now() })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** False when there is no such connection. The line has a number since the first time that it is saved. */
export async function saveConnection(ctx: Ctx, id: number, fields: ConnectionChanges): Promise<boolean> {
  const { number } = fields;
  const linkedAt = sql<Date | null>`case when number is distinct from ${number} then ${ctx.now()} else linked_at end`;
  const { numUpdatedRows } = await ctx.db
    .updateTable("connections")
    .set({ ...fields, updated_at: ctx.now(), ...(number !== undefined && { linked_at: linkedAt }) })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Asks the owner of the line for another pairing: it deletes the credentials of the round before. False when there is no such connection. */
export async function startNextSessionRound(ctx: Ctx, id: number, fields: ConnectionChanges): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable("connections")
    .set((of) => ({ ...fields, session_round: of("session_round", "+", 1), updated_at: ctx.now() }))
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** In the given order. Queues of another company are invisible here (row-level security), so they are not joined. */
export async function replaceConnectionQueues(ctx: Ctx, id: number, queueIds: readonly number[]): Promise<void> {
  await ctx.db.deleteFrom("connection_queues").where("connection_id", "=", id).execute();
  await sql`
    insert into connection_queues (company_id, connection_id, queue_id, position)
    select q.company_id, ${id}, q.id, min(wanted.position)
    from unnest(${[...queueIds]}::int[]) with ordinality as wanted(queue_id, position)
    join queues q on q.id = wanted.queue_id and q.company_id = ${ctx.companyId}
    group by q.company_id, q.id`.execute(ctx.db);
}

/**
 * Waits for transactions that store for a connection, and blocks new ones. Locks the lease first, in the order of the
 * line itself: the other order would deadlock.
 */
export async function lockConnection(ctx: Ctx, id: number): Promise<void> {
  await sql`select from line_leases where company_id = ${ctx.companyId} and connection_id = ${id} for update`.execute(
    ctx.db,
  );
  await sql`select from connections where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.db);
}

/** Clears the reference to a prompt or an integration. Returns the connections that had it. */
export async function clearAssistantReferences(ctx: Ctx, removed: Assistants): Promise<number[]> {
  const { promptId = null, integrationId = null } = removed;
  const { rows } = await sql<{ id: number }>`
    update connections set updated_at = ${ctx.now()}, prompt_id = nullif(prompt_id, ${promptId}),
      integration_id = nullif(integration_id, ${integrationId})
    where company_id = ${ctx.companyId} and (prompt_id = ${promptId} or integration_id = ${integrationId})
    returning id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/**
 * Hides a connection that is deleted, frees its name and its token, and asks the owner of the line to unlink its device. False
 * where there is no such connection.
 */
export async function hideConnection(ctx: Ctx, id: number): Promise<boolean> {
  return seeingDeleted(ctx, async () => {
    const { numUpdatedRows } = await ctx.db
      .updateTable("connections")
      .set({
        // Longer than a form can make one (50 characters), so that nobody has it or wants it.
        ...{ deleted_at: ctx.now(), updated_at: ctx.now(), name: sql`rpad(name, 50) || ' #' || id`, is_default: false },
        ...{ wanted: "down", status: "DISCONNECTED", reason: "stopped", qrcode: "", pairing_code: "" },
        ...{ token_hash: null, linked_at: null, is_lively: false },
        // No timer of the bot looks for its conversations any more.
        ...{ expires_ticket: 0, time_to_transfer: 0 },
      })
      .where("id", "=", id)
      .where("company_id", "=", ctx.companyId)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** Does a process still run the line of this connection? */
export async function isLeased(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from line_leases
    where company_id = ${ctx.companyId} and connection_id = ${id} and leased_until >= clock_timestamp()`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** Deletes the row of a hidden connection. */
export async function deleteHiddenConnection(ctx: Ctx, id: number): Promise<void> {
  await seeingDeleted(ctx, async () => {
    await lockConnection(ctx, id);
    await ctx.db
      .deleteFrom("connections")
      .where("id", "=", id)
      .where("company_id", "=", ctx.companyId)
      .where("deleted_at", "is not", null)
      .execute();
  });
}

/** Row-level security hides deleted connections from all other statements (migration 0110). */
async function seeingDeleted<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  const set = (value: "on" | "off") => sql`select set_config('app.sees_deleted', ${value}, true)`.execute(ctx.db);
  await set("on");
  const done = await work();
  await set("off");
  return done;
}

/** What may be told of these connections outside the product: no texts and no codes. */
export async function findConnectionFacts(ctx: Ctx, ids: readonly number[]): Promise<ConnectionFacts[]> {
  return ctx.db
    .selectFrom("connections")
    .select(["id", "name", "status", "number", "is_default as isDefault"])
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", [...ids])
    .execute();
}
