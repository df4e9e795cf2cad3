import { sql } from "kysely";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { ChatImportsTable } from "./chat-imports.tables.ts";

export type ChatImportRow = Selectable<ChatImportsTable>;

export async function insertChatImport(
  ctx: Ctx,
  row: Omit<Insertable<ChatImportsTable>, "company_id" | "created_at">,
): Promise<ChatImportRow> {
  return ctx.db
    .insertInto("chat_imports")
    .values({ ...row, company_id: ctx.companyId, created_at: ctx.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Undefined where the contact was erased meanwhile. */
export async function lockChatImport(ctx: Ctx, id: number): Promise<ChatImportRow | undefined> {
  return ctx.db
    .selectFrom("chat_imports")
    .selectAll()
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

export async function findChatImport(ctx: Ctx, id: number): Promise<Pick<ChatImportRow, "contact_id"> | undefined> {
  return ctx.db
    .selectFrom("chat_imports")
    .select("contact_id")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Where imports of a contact came from. */
export async function findSourcesOf(ctx: Ctx, contactId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct source_id as id from chat_imports
    where company_id = ${ctx.companyId} and contact_id = ${contactId}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Deletes them, and so ends those that are under way; returns the archives that they had not taken in yet. */
export async function deleteImportsOf(ctx: Ctx, contactId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string | null }>`delete from chat_imports
    where company_id = ${ctx.companyId} and contact_id = ${contactId} returning storage_key as key`.execute(ctx.db);
  return rows.flatMap(({ key }) => key ?? []);
}

/** The imports of a contact, for a merge. */
export async function findImportIdsOf(ctx: Ctx, contactId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from chat_imports where company_id = ${ctx.companyId} and contact_id = ${contactId}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

export async function setContactOfImports(ctx: Ctx, ids: readonly number[], contactId: number): Promise<void> {
  await sql`update chat_imports set contact_id = ${contactId}
    where company_id = ${ctx.companyId} and id = any(${[...ids]}::int[])`.execute(ctx.db);
}

export async function saveChatImport(ctx: Ctx, id: number, changes: Updateable<ChatImportsTable>): Promise<void> {
  await ctx.db
    .updateTable("chat_imports")
    .set(changes)
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

export async function findChatImports(ctx: Ctx, contactId: number): Promise<ChatImportRow[]> {
  return ctx.db
    .selectFrom("chat_imports")
    .selectAll()
    .where("company_id", "=", ctx.companyId)
    .where("contact_id", "=", contactId)
    .orderBy("id", "desc")
    .limit(20)
    .execute();
}

export async function findWaitingArchives(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("chat_imports")
    .select("storage_key")
    .where("company_id", "=", ctx.companyId)
    .where("storage_key", "in", keys.length > 0 ? keys : [""])
    .execute();
  return rows.flatMap(({ storage_key: key }) => key ?? []);
}

export interface ChatContact {
  readonly id: number;
  readonly isGroup: boolean;
}

/** Keeps it from being deleted or merged until the transaction ends. */
export async function lockChatContact(ctx: Ctx, id: number): Promise<ChatContact | undefined> {
  const { rows } = await sql<ChatContact>`select id, is_group as "isGroup" from contacts
    where company_id = ${ctx.companyId} and id = ${id} for key share`.execute(ctx.db);
  return rows[0];
}

export async function findChatContact(ctx: Ctx, id: number): Promise<ChatContact | undefined> {
  const { rows } = await sql<ChatContact>`
    select id, is_group as "isGroup" from contacts where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.db);
  return rows[0];
}

/** The contact's conversation that was spoken in last. */
export async function findLatestTicket(
  ctx: Ctx,
  contactId: number,
): Promise<{ id: number; connectionId: number | null } | undefined> {
  const { rows } = await sql<{ id: number; connectionId: number | null }>`
    select id, connection_id as "connectionId" from tickets
    where company_id = ${ctx.companyId} and contact_id = ${contactId} order by last_message_at desc limit 1`.execute(
    ctx.db,
  );
  return rows[0];
}

/** The default connection, else the first one. */
export async function findConnectionForHistory(ctx: Ctx): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from connections where company_id = ${ctx.companyId} order by is_default desc, id limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

export interface SaidHere {
  readonly fromMe: boolean;
  readonly mediaType: string;
  readonly body: string;
  readonly sentAt: Date;
}

/** What was said in the conversation through the product itself, within a time. */
export async function findSaidHere(ctx: Ctx, ticketId: number, from: Date, to: Date): Promise<SaidHere[]> {
  const { rows } = await sql<SaidHere>`
    select from_me as "fromMe", media_type as "mediaType", body, sent_at as "sentAt" from messages
    where ticket_id = ${ticketId} and sent_at >= ${from} and sent_at <= ${to} and (data ->> 'imported') is null`.execute(
    ctx.db,
  );
  return rows;
}
