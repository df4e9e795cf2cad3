import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";

export interface ChatHistoryRow extends HistoryMessageRow {
  readonly number: string;
  readonly name: string;
}

export interface GroupHistoryRow extends HistoryMessageRow {
  readonly group_id: string;
  readonly subject: string;
  /** The author's number; null for the line's own messages. */
  readonly number: string | null;
  readonly name: string;
}

export interface HistoryMessageRow {
  readonly wa_id: string;
  readonly from_me: boolean;
  readonly ack: number;
  readonly body: string;
  readonly sent_at: Date;
  readonly storage_key: string | null;
  readonly file_name: string | null;
  readonly mime_type: string | null;
  readonly is_voice: boolean | null;
}

/** The messages between the line and its people, oldest first, without deleted and unsent ones. */
export async function findChatHistory(ctx: Ctx, connectionId: number): Promise<ChatHistoryRow[]> {
  const { rows } = await sql<ChatHistoryRow>`
    select p.number, p.name, m.wa_id, m.from_me, m.ack, m.body, m.sent_at,
      f.storage_key, f.file_name, f.mime_type, f.is_voice
    from sim_people p
    join contacts c on c.company_id = p.company_id and c.number = p.number
    join messages m on m.contact_id = c.id and m.connection_id = p.connection_id
    left join media f on f.message_id = m.id
    where p.company_id = ${ctx.companyId} and p.connection_id = ${connectionId}
      and not m.is_deleted and (not m.from_me or m.ack > 0)
      and (m.media_type = 'chat' or f.storage_key is not null)
    order by m.sent_at, m.id`.execute(ctx.db);
  return rows;
}

/** The messages of the line's groups, oldest first, without deleted and unsent ones. */
export async function findGroupHistory(ctx: Ctx, connectionId: number): Promise<GroupHistoryRow[]> {
  const { rows } = await sql<GroupHistoryRow>`
    select i.value as group_id, c.name as subject, m.participant->>'phone' as number,
      coalesce(m.participant->>'name', '') as name, m.wa_id, m.from_me, m.ack, m.body, m.sent_at,
      f.storage_key, f.file_name, f.mime_type, f.is_voice
    from contact_identifiers i
    join contacts c on c.id = i.contact_id
    join messages m on m.contact_id = c.id and m.connection_id = i.connection_id
    left join media f on f.message_id = m.id
    where i.company_id = ${ctx.companyId} and i.connection_id = ${connectionId} and i.kind = 'group'
      and not m.is_deleted and (not m.from_me or m.ack > 0)
      and (m.media_type = 'chat' or f.storage_key is not null)
    order by m.sent_at, m.id`.execute(ctx.db);
  return rows;
}
