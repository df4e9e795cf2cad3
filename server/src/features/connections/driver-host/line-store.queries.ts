import { sql } from "kysely";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";
import type { PlacedId } from "#server/whatsapp/port.ts";
import { holdsNumberSql } from "../connections.queries.ts";

/** One statement for all keys of a commit, each at most once. Values are sealed. */
export async function upsertKeys(
  ctx: Ctx,
  connectionId: number,
  keys: readonly { readonly kind: string; readonly id: string; readonly value: Buffer }[],
): Promise<void> {
  if (keys.length > 0) {
    await ctx.raw(UPSERT_KEYS, [
      ctx.companyId,
      connectionId,
      keys.map(({ kind }) => kind),
      keys.map(({ id }) => id),
      keys.map(({ value }) => value),
    ]);
  }
}

export async function deleteKeys(
  ctx: Ctx,
  connectionId: number,
  keys: readonly { readonly kind: string; readonly id: string }[],
): Promise<void> {
  if (keys.length > 0) {
    await ctx.raw(DELETE_KEYS, [connectionId, keys.map(({ kind }) => kind), keys.map(({ id }) => id)]);
  }
}

export async function saveCreds(ctx: Ctx, connectionId: number, value: Buffer, round: number): Promise<void> {
  await ctx.raw(SAVE_CREDS, [connectionId, ctx.companyId, value, round]);
}

export async function insertSentPayloads(
  ctx: Ctx,
  connectionId: number,
  sent: readonly { readonly waId: string; readonly payload: Buffer }[],
): Promise<void> {
  if (sent.length > 0) {
    await ctx.raw(INSERT_SENT, [
      ctx.companyId,
      connectionId,
      sent.map(({ waId }) => waId),
      sent.map(({ payload }) => payload),
    ]);
  }
}

/** In one round trip: Baileys reads keys several times for each message. */
export async function findKeys(
  db: Db,
  companyId: number,
  connectionId: number,
  kind: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly value: Buffer }[]> {
  return db.readOne(companyId, FIND_KEYS, [connectionId, kind, ids]);
}

export async function findCreds(
  db: Db,
  companyId: number,
  connectionId: number,
): Promise<{ readonly value: Buffer; readonly round: number } | undefined> {
  const [row] = await db.readOne(companyId, FIND_CREDS, [connectionId]);
  return row;
}

export async function findSentPayload(
  db: Db,
  companyId: number,
  connectionId: number,
  waId: string,
): Promise<Buffer | undefined> {
  const [row] = await db.readOne(companyId, FIND_SENT, [connectionId, waId]);
  return row?.payload;
}

const FIND_STORED: Statement<{ readonly waId: string }> = {
  name: "messages_find_stored",
  text: `select m.wa_id as "waId"
    from unnest($2::text[], $3::text[], $4::text[]) as seen(wa_id, kind, value)
    join contact_identifiers i on i.connection_id = $1 and i.kind = seen.kind and i.value = seen.value
    join messages m on m.connection_id = $1 and m.wa_id = seen.wa_id and m.contact_id = i.contact_id
    where not m.from_me and not m.is_stub`,
};

/** Which of these messages of contacts are stored with their content, each in its own chat. */
export async function findStoredMessages(
  db: Db,
  companyId: number,
  connectionId: number,
  messages: readonly PlacedId[],
): Promise<string[]> {
  const ids = messages.map(({ waId }) => waId);
  const kinds = messages.map(({ chat }) => chat.kind);
  const values = messages.map(({ chat }) => chat.value);
  const rows = await db.readOne(companyId, FIND_STORED, [connectionId, ids, kinds, values]);
  return rows.map(({ waId }) => waId);
}

/** Does another line of the company have this number? */
export async function isNumberTaken(db: Db, companyId: number, connectionId: number, number: string): Promise<boolean> {
  const rows = await db.readOne(companyId, FIND_OF_NUMBER, [companyId, connectionId, number]);
  return rows.length > 0;
}

/** Payloads older than 14 days: a contact asks for a message again within days (whatsapp.md 4.7). */
export async function pruneSentPayloads(db: Db): Promise<void> {
  await sql`delete from sent_payloads where created_at < now() - interval '14 days'`.execute(db.system);
}

/** Deletes the credentials and keys of a pairing. */
export async function deleteCredentials(ctx: Ctx, connectionId: number): Promise<void> {
  await ctx.db.deleteFrom("wa_keys").where("connection_id", "=", connectionId).execute();
  await ctx.db.deleteFrom("wa_creds").where("connection_id", "=", connectionId).execute();
}

const UPSERT_KEYS: Statement<never> = {
  name: "wa_keys_upsert",
  text: `insert into wa_keys (company_id, connection_id, kind, id, value)
    select $1, $2, w.kind, w.id, w.value from unnest($3::text[], $4::text[], $5::bytea[]) as w(kind, id, value)
    on conflict (connection_id, kind, id) do update set value = excluded.value`,
};
const DELETE_KEYS: Statement<never> = {
  name: "wa_keys_delete",
  text: `delete from wa_keys k using unnest($2::text[], $3::text[]) as gone(kind, id)
    where k.connection_id = $1 and k.kind = gone.kind and k.id = gone.id`,
};
const SAVE_CREDS: Statement<never> = {
  name: "wa_creds_save",
  text: `insert into wa_creds (connection_id, company_id, value, round) values ($1, $2, $3, $4)
    on conflict (connection_id) do update set value = excluded.value, round = excluded.round, updated_at = now()`,
};
const INSERT_SENT: Statement<never> = {
  name: "sent_payloads_insert",
  text: `insert into sent_payloads (company_id, connection_id, wa_id, payload)
    select $1, $2, s.wa_id, s.payload from unnest($3::text[], $4::bytea[]) as s(wa_id, payload)
    on conflict (connection_id, wa_id) do nothing`,
};
const FIND_KEYS: Statement<{ id: string; value: Buffer }> = {
  name: "wa_keys_find",
  text: "select id, value from wa_keys where connection_id = $1 and kind = $2 and id = any($3::text[])",
};
const FIND_CREDS: Statement<{ value: Buffer; round: number }> = {
  name: "wa_creds_find",
  text: "select value, round from wa_creds where connection_id = $1",
};
const FIND_OF_NUMBER: Statement<{ id: number }> = {
  name: "connections_find_of_number",
  text: `select id from connections c where company_id = $1 and id <> $2 and ${holdsNumberSql("c", "$3")}`,
};
const FIND_SENT: Statement<{ payload: Buffer }> = {
  name: "sent_payloads_find",
  text: "select payload from sent_payloads where connection_id = $1 and wa_id = $2",
};

/** The contexts that a line's keys and credentials are sealed with. */
export const keyContext = (connectionId: number, kind: string, id: string) => `wa-key:${connectionId}:${kind}:${id}`;
export const credsContext = (connectionId: number) => `wa-creds:${connectionId}`;

export const sealedLineColumns: readonly SealedColumn[] = [
  {
    table: "wa_keys",
    column: "value",
    key: ["connection_id", "kind", "id"],
    contextOf: (row) => keyContext(Number(row["connection_id"]), String(row["kind"]), String(row["id"])),
  },
  {
    table: "wa_creds",
    column: "value",
    key: ["connection_id"],
    contextOf: (row) => credsContext(Number(row["connection_id"])),
  },
];
