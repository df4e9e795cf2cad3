import { messagesApiRules } from "@prosa/contract";
import type { HoldReason } from "@prosa/contract";
import { sql } from "kysely";
import { lastInboundSql, repliesSince } from "#server/features/sending/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";
import type { ApiFile, ApiOptions } from "./messages-api.tables.ts";

/** A request to send, as it is stored. */
export interface ApiRequest {
  readonly id: string;
  readonly connectionId: number;
  readonly idempotencyKey: string | null;
  readonly fingerprint: string;
  readonly number: string;
  readonly body: string;
  readonly options: ApiOptions;
  readonly files: readonly ApiFile[];
}

/** Why and until when the sending gate holds a message. */
export interface ApiHold {
  readonly reason: HoldReason;
  readonly until: Date;
}

/** The request that came with this key before. */
export async function findByKey(
  ctx: Ctx,
  connectionId: number,
  key: string,
): Promise<{ readonly id: string; readonly fingerprint: string } | undefined> {
  return ctx.db
    .selectFrom("api_messages")
    .select(["id", "fingerprint"])
    .where("company_id", "=", ctx.companyId)
    .where("connection_id", "=", connectionId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
}

/** Stores a request, with what the gate holds it for. False where another one has its key: nothing is stored. */
export async function insertRequest(ctx: Ctx, request: ApiRequest, hold: ApiHold | null): Promise<boolean> {
  const { id, connectionId, idempotencyKey, fingerprint, number, body, options, files } = request;
  const inserted = await ctx.db
    .insertInto("api_messages")
    .values({
      id,
      company_id: ctx.companyId,
      connection_id: connectionId,
      idempotency_key: idempotencyKey,
      fingerprint,
      number,
      body: hold ? body : "",
      options: JSON.stringify(options),
      files: JSON.stringify(hold ? files : []),
      state: hold ? "waiting" : "stored",
      held_reason: hold?.reason ?? null,
      held_until: hold?.until ?? null,
      error: null,
      created_at: ctx.now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["company_id", "connection_id", "idempotency_key"])
        .where("idempotency_key", "is not", null)
        .doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * SQL: how a number may be spelled, without and with Brazil's ninth digit: what waits was stored as its caller wrote it, and what comes
 * later as its contact has it by then. An array, which an index finds.
 */
const spellingsSql = (number: string) =>
  `array[(select match_number(${number})), (select phone_key(match_number(${number})))]`;

const IS_ANY_WAITING: Statement<{ found: boolean }> = {
  name: "api_messages_is_any_waiting",
  text: `select exists (select from api_messages where company_id = $1 and connection_id = $2
    and number = any(${spellingsSql("$3::text")}) and state = 'waiting') as found`,
};

/** Does an earlier message to this number wait, however it is spelled? Then a later one must not overtake it. */
export async function isAnyWaiting(ctx: Ctx, connectionId: number, number: string): Promise<boolean> {
  const [row] = await ctx.raw(IS_ANY_WAITING, [ctx.companyId, connectionId, number]);
  return row?.found === true;
}

/** A request that waits, and to whom. */
export interface WaitingRequest {
  readonly id: string;
  readonly connectionId: number;
  readonly number: string;
}

/** SQL: the id of the contact with a number, or of the one into which it was merged (decision 0075); a subquery computes the key. */
const contactIdSql = (number: string) => `coalesce(
      (select c.id from contacts c where c.company_id = $1 and c.number_key = (select phone_key(${number}))),
      (select m.contact_id from contact_aliases m where m.company_id = $1 and m.number_key = (select phone_key(${number}))))`;

const ticketOfPerson = `(select t.id from tickets t
      where t.company_id = $1 and t.connection_id = $2 and t.contact_id = person.id)`;

// The key is computed in a subquery: under row-level security a condition with a function that is not leakproof is evaluated for
// every row of the company. Contacts and tickets are looked up for each request, not joined, which without statistics reads all.
const FIND_REPLIES: Statement<WaitingRequest> = {
  name: "api_messages_find_replies",
  text: `with waiting as materialized (
      select a.id, a.connection_id, a.number, a.created_at,
        ${contactIdSql("a.number")} as by_number,
        (select i.contact_id from contact_identifiers i
          where i.company_id = $1 and i.connection_id = $2 and i.kind = 'lid' and i.value = (select a.options ->> 'lid')) as by_lid
      from api_messages a
      where a.company_id = $1 and a.connection_id = $2 and a.state = 'waiting'
        and ($3::text is null or a.number = any(${spellingsSql("$3::text")}))
        and ($4::text is null or a.number <> all(${spellingsSql("$4::text")})))
    select w.id, w.connection_id as "connectionId", w.number from waiting w
    where exists (select from unnest(array[w.by_number, w.by_lid]) as person(id) where ${lastInboundSql(ticketOfPerson, "$5::timestamptz")} is not null)
    order by w.created_at`,
};

/** Those to one number, or all but those to one, however it is spelled. */
export interface WhoseReplies {
  readonly of?: string;
  readonly except?: string;
}

/** The requests of a connection that wait although they are replies by now, since the person has written; the oldest first. */
export async function findWaitingReplies(
  ctx: Ctx,
  connectionId: number,
  { of, except }: WhoseReplies,
): Promise<WaitingRequest[]> {
  return ctx.raw(FIND_REPLIES, [ctx.companyId, connectionId, of ?? null, except ?? null, repliesSince(ctx.now())]);
}

/** Locks a request that waits; undefined once it was sent, failed or was deleted. */
export async function lockWaiting(ctx: Ctx, id: string): Promise<ApiRequest | undefined> {
  return ctx.db
    .selectFrom("api_messages")
    .select([
      "id",
      "connection_id as connectionId",
      "idempotency_key as idempotencyKey",
      "fingerprint",
      "number",
      "body",
      "options",
      "files",
    ])
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .forUpdate()
    .executeTakeFirst();
}

/** What became of a request: its messages. The text and the files are theirs from then on. */
export async function saveStored(ctx: Ctx, id: string, messageIds: readonly number[]): Promise<void> {
  await ctx.db
    .updateTable("api_messages")
    .set({
      state: "stored",
      message_ids: [...messageIds],
      held_reason: null,
      held_until: null,
      body: "",
      files: "[]",
    })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

/** Undefined where the request was deleted meanwhile. */
export async function saveHold(ctx: Ctx, id: string, { reason, until }: ApiHold): Promise<WaitingRequest | undefined> {
  return ctx.db
    .updateTable("api_messages")
    .set({ held_reason: reason, held_until: until })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .returning(["id", "connection_id as connectionId", "number"])
    .executeTakeFirst();
}

/** It cannot be sent; `error`: the code. */
export async function saveFailed(ctx: Ctx, id: string, error: string): Promise<void> {
  await ctx.db
    .updateTable("api_messages")
    .set({ state: "failed", error, held_reason: null, held_until: null, body: "", files: "[]" })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

export interface ApiMessageRow {
  readonly id: string;
  readonly number: string;
  readonly state: "waiting" | "stored" | "failed";
  readonly heldReason: HoldReason | null;
  readonly heldUntil: Date | null;
  readonly error: string | null;
  readonly createdAt: Date;
  /** Of the message that is behind the others; null where none is left. */
  readonly ack: number | null;
  readonly failReason: string | null;
}

const FIND: Statement<ApiMessageRow> = {
  name: "api_message_find",
  text: `select a.id, a.number, a.state, a.held_reason as "heldReason", a.held_until as "heldUntil", a.error,
      a.created_at as "createdAt", m.ack, m.fail_reason as "failReason"
    from api_messages a left join lateral (
      select ack, fail_reason from messages where company_id = $1 and id = any(a.message_ids) and not is_deleted
      order by ack limit 1) m on true
    where a.company_id = $1 and a.connection_id = $2 and a.id = $3::uuid`,
};

/** A request of this connection, with the state of its messages. */
export async function findApiMessage(ctx: Ctx, connectionId: number, id: string): Promise<ApiMessageRow | undefined> {
  const [row] = await ctx.raw(FIND, [ctx.companyId, connectionId, id]);
  return row;
}

/** What is known of a number before WhatsApp is asked about it. */
export interface AddressFacts {
  /** Can the connection be asked? */
  readonly isConnected: boolean;
  /** Has the connection met the person already? */
  readonly isKnown: boolean;
  /** The number as its contact has it; without one as it was given. */
  readonly number: string;
}

const ADDRESS_FACTS: Statement<AddressFacts> = {
  name: "api_message_address",
  text: `select l.status = 'CONNECTED' as "isConnected",
      exists (select from contact_identifiers i
        where i.contact_id = (select ${contactIdSql("$3::text")}) and i.connection_id = l.id) as "isKnown",
      coalesce((select c.number from contacts c where c.company_id = $1 and c.number_key = (select phone_key($3::text))), $3) as number
    from connections l where l.company_id = $1 and l.id = $2`,
};

/** The facts of a number for a connection. */
export async function readAddressFacts(ctx: Ctx, connectionId: number, number: string): Promise<AddressFacts> {
  const [facts] = await ctx.raw(ADDRESS_FACTS, [ctx.companyId, connectionId, number]);
  return facts ?? { isConnected: false, isKnown: false, number };
}

/** The name that an agent signs with. */
export async function findSignature(ctx: Ctx, userId: number): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom("users")
    .select("name")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.name;
}

const FIND_FILES: Statement<{ key: string }> = {
  name: "api_messages_find_files",
  text: `select f ->> 'storageKey' as key from api_messages a cross join jsonb_array_elements(a.files) f
    where a.company_id = $1 and a.state = 'waiting' and f ->> 'storageKey' = any($2::text[])`,
};

/** The storage keys among these that a waiting message refers to. */
export async function findWaitingFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  return (await ctx.raw(FIND_FILES, [ctx.companyId, keys])).map(({ key }) => key);
}

const batchSize = 5_000;

/** Forgets requests after `messagesApiRules.keptDays`, of all companies; those that wait still are kept. */
export async function pruneRequests(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - messagesApiRules.keptDays * 86_400_000);
  for (;;) {
    const { rows } = await sql`
      delete from api_messages where id in (
        select id from api_messages where created_at < ${before} and state <> 'waiting' order by created_at limit ${batchSize})
      returning id`.execute(db.system);
    if (rows.length < batchSize) {
      return;
    }
  }
}
