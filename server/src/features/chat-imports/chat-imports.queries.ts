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

/** The conversation that a run has written into so far. */
export async function findTicketOfRun(
  ctx: Ctx,
  { contactId, runId }: { readonly contactId: number; readonly runId: number },
): Promise<{ id: number; connectionId: number | null } | undefined> {
  const { rows } = await sql<{ id: number; connectionId: number | null }>`
    select t.id, t.connection_id as "connectionId"
    from moved_rows r join messages m on m.id = r.new_id join tickets t on t.id = m.ticket_id
    where r.company_id = ${ctx.companyId} and r.run_id = ${runId} and r.entity = 'messages' and r.is_made
      and t.contact_id = ${contactId}
    order by r.new_id limit 1`.execute(ctx.db);
  return rows[0];
}

export async function findTicketIdsOf(ctx: Ctx, contactId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where company_id = ${ctx.companyId} and contact_id = ${contactId}`.execute(ctx.db);
  return rows.map(({ id }) => id);
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

/** What was said with the contact through the product itself, on any line, within a time. */
export async function findSaidHere(ctx: Ctx, contactId: number, from: Date, to: Date): Promise<SaidHere[]> {
  // By the conversations, of which a contact has one on each line: their index has the time.
  const { rows } = await sql<SaidHere>`
    select m.from_me as "fromMe", m.media_type as "mediaType", m.body, m.sent_at as "sentAt"
    from tickets t join messages m on m.ticket_id = t.id
    where t.company_id = ${ctx.companyId} and t.contact_id = ${contactId} and m.sent_at >= ${from} and m.sent_at <= ${to}
      and (m.data ->> 'imported') is null`.execute(ctx.db);
  return rows;
}

/** A message of an export that said only that there was a file, or which one. */
export interface ImportedFile {
  readonly id: number;
  readonly fromMe: boolean;
  /** In a group; else empty. */
  readonly author: string;
  readonly mediaType: string;
  readonly sentAt: Date;
  readonly isNamed: boolean;
}

/** Messages with a file that other runs have imported within a time, in their order. */
export async function findImportedFiles(
  ctx: Ctx,
  { contactId, runId }: { readonly contactId: number; readonly runId: number },
  from: Date,
  to: Date,
): Promise<ImportedFile[]> {
  const { rows } = await sql<ImportedFile>`
    select m.id::float8 as id, m.from_me as "fromMe", coalesce(m.participant ->> 'name', '') as author,
      m.media_type as "mediaType", m.sent_at as "sentAt", f.file_name is not null as "isNamed"
    from tickets t join messages m on m.ticket_id = t.id join media f on f.message_id = m.id
    where t.company_id = ${ctx.companyId} and t.contact_id = ${contactId} and m.sent_at >= ${from} and m.sent_at <= ${to}
      and (m.data ->> 'imported') is not null
      and not exists (select from moved_rows r where r.run_id = ${runId} and r.entity = 'messages' and r.new_id = m.id)
    order by m.sent_at, m.id`.execute(ctx.db);
  return rows;
}

/** Which of these marks have come, and their messages; null: the message is gone since. */
export async function findMarked(
  ctx: Ctx,
  sourceIds: readonly number[],
  marks: readonly string[],
): Promise<readonly { readonly mark: string; readonly messageId: number | null }[]> {
  const { rows } = await sql<{ mark: string; messageId: number | null }>`
    select r.old_id as mark, m.id::float8 as "messageId"
    from moved_rows r left join messages m on m.company_id = r.company_id and m.id = r.new_id
    where r.company_id = ${ctx.companyId} and r.source_id = any(${[...sourceIds]}::int[]) and r.entity = 'messages'
      and r.old_id = any(${[...marks]}::text[])`.execute(ctx.db);
  return rows;
}
