import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { DataSubject } from "#server/platform/personal-data.ts";
import type {} from "../privacy.tables.ts";

export interface ExportRow {
  readonly id: number;
  readonly contact_id: number;
  readonly user_name: string | null;
  readonly state: "waiting" | "finished" | "failed";
  readonly storage_key: string | null;
  readonly size: number | null;
  readonly requested_at: Date;
  readonly expires_at: Date | null;
}

const columns = sql`e.id, e.contact_id, e.state, e.storage_key, e.size::float8 as size, e.requested_at, e.expires_at,
  (select name from users u where u.company_id = e.company_id and u.id = e.user_id) as user_name`;

export async function findExportsOf(ctx: Ctx, contactId: number): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`select ${columns} from contact_exports e
    where company_id = ${ctx.companyId} and contact_id = ${contactId} order by id desc limit 20`.execute(ctx.db);
  return rows;
}

export async function hasContact(ctx: Ctx, contactId: number): Promise<boolean> {
  const { rows } = await sql`select from contacts where company_id = ${ctx.companyId} and id = ${contactId}`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

export async function findExport(ctx: Ctx, id: number): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`select ${columns} from contact_exports e
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.db);
  return rows[0];
}

export async function insertExport(ctx: Ctx, contactId: number, userId: number | null): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into contact_exports (company_id, contact_id, user_id, requested_at)
    values (${ctx.companyId}, ${contactId}, ${userId}, ${ctx.now()}) returning id`.execute(ctx.db);
  return rows[0]!.id;
}

/** False where the contact was erased meanwhile: its file is then nobody's. */
export async function finishExport(
  ctx: Ctx,
  id: number,
  file: { readonly key: string; readonly size: number; readonly expiresAt: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update contact_exports set state = 'finished', storage_key = ${file.key},
      size = ${file.size}, expires_at = ${file.expiresAt}
    where company_id = ${ctx.companyId} and id = ${id} and state = 'waiting'`.execute(ctx.db);
  return numAffectedRows > 0n;
}

/** Ends an export that could not be written; it goes with the others whose time is over. */
export async function failExport(ctx: Ctx, id: number, expiresAt: Date): Promise<void> {
  await sql`update contact_exports set state = 'failed', expires_at = ${expiresAt}
    where company_id = ${ctx.companyId} and id = ${id} and state = 'waiting'`.execute(ctx.db);
}

/** Deletes exports whose time is over, or of a contact; returns their files. */
export async function deleteExports(
  ctx: Ctx,
  which: { readonly contactId: number } | { readonly before: Date },
  limit: number,
) {
  const condition = "contactId" in which ? sql`contact_id = ${which.contactId}` : sql`expires_at < ${which.before}`;
  const { rows } = await sql<{ key: string | null }>`delete from contact_exports where id in (
    select id from contact_exports where company_id = ${ctx.companyId} and ${condition} limit ${limit})
    returning storage_key as key`.execute(ctx.db);
  return { rows: rows.length, files: rows.flatMap(({ key }) => key ?? []) };
}

export async function findCompaniesWithExpired(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct company_id as id from contact_exports
    where expires_at < ${now}`.execute(db.system);
  return rows.map(({ id }) => id);
}

export async function findReferencedExports(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select storage_key as key from contact_exports
    where company_id = ${ctx.companyId} and storage_key = any(${keys}::text[])`.execute(ctx.db);
  return rows.map(({ key }) => key);
}

type Json = Readonly<Record<string, unknown>>;

/** What is known of the person beside the messages. */
export async function findPersonalFacts(ctx: Ctx, { contactId, numbers, lids }: DataSubject): Promise<Json> {
  const list = (query: ReturnType<typeof sql>) => sql`coalesce((select json_agg(x) from (${query}) x), '[]')`;
  const { rows } = await sql<{ facts: Json }>`select json_build_object(
    'contact', (select row_to_json(x) from (select id, name, number, email, extra_info as "extraInfo", is_blocked as "isBlocked",
      opted_out_at as "optedOutAt", created_at as "createdAt" from contacts
      where company_id = ${ctx.companyId} and id = ${contactId}) x),
    'identifiers', ${list(sql`select kind, value from contact_identifiers where contact_id = ${contactId}
      union select 'phone', number_key from contact_aliases where company_id = ${ctx.companyId} and contact_id = ${contactId}`)},
    'conversations', ${list(sql`select t.id, t.status, t.created_at as "createdAt", n.name as connection, q.name as queue
      from tickets t left join connections n on n.id = t.connection_id left join queues q on q.id = t.queue_id
      where t.company_id = ${ctx.companyId} and t.contact_id = ${contactId}`)},
    'services', ${list(sql`select e.protocol, e.queued_at as "queuedAt", e.started_at as "startedAt",
      e.finished_at as "finishedAt", e.rating from episodes e join tickets t on t.id = e.ticket_id
      where t.company_id = ${ctx.companyId} and t.contact_id = ${contactId} order by e.id`)},
    'notes', ${list(sql`select note, created_at as "createdAt" from ticket_notes
      where company_id = ${ctx.companyId} and contact_id = ${contactId} order by id`)},
    'schedules', ${list(sql`select body, send_at as "sendAt", sent_at as "sentAt" from schedules
      where company_id = ${ctx.companyId} and contact_id = ${contactId} order by id`)},
    'contactLists', ${list(sql`select l.name as list, i.name, i.number, i.email from contact_list_items i
      join contact_lists l on l.id = i.contact_list_id
      where i.company_id = ${ctx.companyId} and i.number = any(${numbers}::text[])`)},
    'campaigns', ${list(sql`select c.name as campaign, r.name, r.number, r.state, r.sent_at as "sentAt",
      r.read_at as "readAt", r.answered_at as "answeredAt" from campaign_recipients r
      join campaigns c on c.id = r.campaign_id
      where r.company_id = ${ctx.companyId} and (r.contact_id = ${contactId} or r.number = any(${numbers}::text[]))`)},
    'reactions', ${list(sql`select r.emoji, r.at, r.sender_name as name, r.message_id as "messageId", c.name as conversation
      from message_reactions r join messages m on m.company_id = r.company_id and m.id = r.message_id
      join contacts c on c.company_id = m.company_id and c.id = m.contact_id
      where r.company_id = ${ctx.companyId} and split_part(r.sender, '@', 1) = any(${[...numbers, ...lids]}::text[])
      order by r.at`)},
    'optOuts', ${list(sql`select at, source, word, note, taken_back_at as "takenBackAt" from opt_outs
      where company_id = ${ctx.companyId} and contact_id = ${contactId} order by id`)}) as facts`.execute(ctx.db);
  return rows[0]?.facts ?? {};
}

export interface ExportedMessage {
  readonly id: number;
  readonly ticketId: number;
  /** The group in which the person wrote; absent in their own conversations. */
  readonly group?: string | null;
  readonly sentAt: string;
  readonly fromMe: boolean;
  readonly type: string;
  readonly body: string;
  /** What a voice message says, where it was transcribed. */
  readonly transcript: string | null;
  readonly isDeleted: boolean;
  readonly fileName: string | null;
  readonly mimeType: string | null;
  readonly storageKey: string | null;
}

const messageColumns = sql`m.id, m.ticket_id as "ticketId", m.sent_at as "sentAt",
  m.from_me as "fromMe", m.media_type as type, m.body, m.transcript, m.is_deleted as "isDeleted", f.file_name as "fileName",
  f.mime_type as "mimeType", f.storage_key as "storageKey"`;

/** Messages of the contact's conversations after an id, in the order in which they were stored. */
export async function findMessagesAfter(
  ctx: Ctx,
  { contactId }: DataSubject,
  after: number,
  limit: number,
): Promise<ExportedMessage[]> {
  const { rows } = await sql<ExportedMessage>`select ${messageColumns}
    from messages m left join media f on f.message_id = m.id
    where m.company_id = ${ctx.companyId} and m.contact_id = ${contactId} and m.id > ${after}
    order by m.id limit ${limit}`.execute(ctx.db);
  return rows.map(withInstant);
}

/** What the person wrote in groups, by the same identifiers as an erasure finds it. */
export async function findGroupMessagesAfter(
  ctx: Ctx,
  { numbers, lids }: DataSubject,
  after: number,
  limit: number,
): Promise<ExportedMessage[]> {
  const { rows } = await sql<ExportedMessage>`select c.name as "group", ${messageColumns}
    from messages m left join media f on f.message_id = m.id
      left join contacts c on c.company_id = m.company_id and c.id = m.contact_id
    where m.company_id = ${ctx.companyId} and m.participant is not null and m.id > ${after}
      and (m.participant ->> 'phone' = any(${numbers}::text[]) or m.participant ->> 'number' = any(${numbers}::text[])
        or m.participant ->> 'lid' = any(${lids}::text[]))
    order by m.id limit ${limit}`.execute(ctx.db);
  return rows.map(withInstant);
}

function withInstant(row: ExportedMessage): ExportedMessage {
  return { ...row, sentAt: new Date(row.sentAt).toISOString() };
}
