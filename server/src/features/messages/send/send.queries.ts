import type { MediaType } from "@prosa/contract";
import { atLineColumns, atLineJoins, repliesSince, startedSince } from "#server/features/sending/index.ts";
import type { AtLineFacts } from "#server/features/sending/index.ts";
import {
  automaticActivitySql,
  sentActivitySql,
  sentActivityValues,
  sentPreview,
} from "#server/features/tickets/index.ts";
import type { SentActivity } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { storedMessageJson } from "../messages.view.queries.ts";

export interface NewMessage {
  readonly ticketId: number;
  readonly contactId: number;
  readonly connectionId: number;
  readonly queueId: number | null;
  readonly userId: number | null;
  readonly waId: string;
  readonly clientId: string;
  readonly isAutomatic: boolean;
  readonly mediaType: MediaType;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly quotedId: number | null;
  readonly sentAt: Date;
}

/** A message as it was stored. */
interface StoredOutbound {
  readonly id: number;
  /** JSON text of its view, without a file; media URLs are unsigned. */
  readonly view: string;
  readonly isContactBlocked: boolean;
}

const INSERT_OUTBOUND: Statement<StoredOutbound> = {
  name: "message_insert_outbound",
  text: `with stored as (insert into messages as m (company_id, ticket_id, contact_id, connection_id, queue_id, user_id, wa_id, client_id, from_me,
      is_automatic, ack, is_read, media_type, body, data, quoted_id, quoted_wa_id, sent_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, true, $9, 0, true, $10, $11, $12,
      (select id from messages where company_id = $1 and id = $13::bigint and ticket_id = $2),
      (select wa_id from messages where company_id = $1 and id = $13::bigint and ticket_id = $2), $14)
    on conflict (company_id, client_id) do nothing
    returning m.id, ${storedMessageJson}::text as view),
  activity as (${sentActivitySql({ ticketId: "$2", mediaType: "$10", sentAt: "$14" }, 15)})
  select id, view, (select is_blocked from contacts where company_id = $1 and id = $3) as "isContactBlocked" from stored`,
};

/**
 * Stores a message as queued, with its activity in the locked ticket. Undefined if its client id exists already: it is a
 * duplicate.
 */
export async function insertOutbound(
  ctx: Ctx,
  message: NewMessage,
  activity: SentActivity,
): Promise<StoredOutbound | undefined> {
  const { ticketId, contactId, connectionId, queueId, userId, waId, clientId } = message;
  const { isAutomatic, mediaType, body, data, quotedId, sentAt } = message;
  const ids = [ctx.companyId, ticketId, contactId, connectionId, queueId, userId, waId, clientId];
  const content = [isAutomatic, mediaType, body, data && JSON.stringify(data), quotedId, sentAt];
  const [stored] = await ctx.raw(INSERT_OUTBOUND, [...ids, ...content, ...sentActivityValues(activity, ctx.now())]);
  return stored;
}

/** A message of the product itself: it quotes nothing and answers nobody. */
export type NewAutomaticMessage = Omit<NewMessage, "userId" | "isAutomatic" | "quotedId"> & {
  /** Its text, or the name of its file. */
  readonly preview: string;
};

interface StoredAutomatic {
  readonly id: number;
  readonly clientId: string;
  readonly isContactBlocked: boolean;
}

// The rows come in the order of the array, so the ids follow it. The activity is of the last one of each ticket.
const INSERT_AUTOMATIC: Statement<StoredAutomatic> = {
  name: "messages_insert_automatic",
  text: `with wanted as materialized (
      select * from jsonb_to_recordset($2::jsonb) as v(at int, ticket_id int, contact_id int, connection_id int, queue_id int,
        wa_id text, client_id text, media_type text, body text, data jsonb, sent_at timestamptz, preview text)),
    stored as (insert into messages as m (company_id, ticket_id, contact_id, connection_id, queue_id, wa_id, client_id, from_me,
        is_automatic, ack, is_read, media_type, body, data, sent_at)
      select $1, ticket_id, contact_id, connection_id, queue_id, wa_id, client_id, true, true, 0, true, media_type, body, data, sent_at
      from wanted order by at
      on conflict (company_id, client_id) do nothing
      returning m.id, m.client_id, m.contact_id),
    latest as (
      select distinct on (w.ticket_id) w.* from wanted w join stored on stored.client_id = w.client_id
      order by w.ticket_id, w.at desc),
    activity as (${automaticActivitySql("latest", "$3")})
    select s.id, s.client_id as "clientId", c.is_blocked as "isContactBlocked"
    from stored s join contacts c on c.company_id = $1 and c.id = s.contact_id`,
};

/**
 * Stores messages of several chats as queued, with their activity in the locked tickets: one statement. One is missing whose
 * client id exists already.
 */
export async function insertAutomatic(ctx: Ctx, messages: readonly NewAutomaticMessage[]): Promise<StoredAutomatic[]> {
  const rows = messages.map((message, at) => ({
    at,
    ticket_id: message.ticketId,
    contact_id: message.contactId,
    connection_id: message.connectionId,
    queue_id: message.queueId,
    wa_id: message.waId,
    client_id: message.clientId,
    media_type: message.mediaType,
    body: message.body,
    data: message.data,
    sent_at: message.sentAt,
    preview: sentPreview(message.preview),
  }));
  return ctx.raw(INSERT_AUTOMATIC, [ctx.companyId, JSON.stringify(rows), ctx.now()]);
}

interface StoredByClient {
  readonly id: number;
  readonly ticketId: number;
  readonly clientId: string;
  readonly userId: number | null;
}

const FIND_BY_CLIENT: Statement<StoredByClient> = {
  name: "messages_by_client",
  text: `select id, ticket_id as "ticketId", client_id as "clientId", user_id as "userId" from messages where company_id = $1 and client_id = any($2::text[]) order by id`,
};

/** The messages that have these client ids. */
export async function findByClientIds(ctx: Ctx, clientIds: readonly string[]): Promise<StoredByClient[]> {
  return ctx.raw(FIND_BY_CLIENT, [ctx.companyId, clientIds]);
}

const REQUEUE: Statement<{ isOfCampaign: boolean }> = {
  name: "message_requeue",
  text: `update messages m set ack = 0, fail_reason = null, connection_id = $3, version = version + 1
    where company_id = $1 and id = $2 and from_me and ack = -1
    returning coalesce(m.data ? 'campaign', false) as "isOfCampaign"`,
};

/** Queues a failed message again, under the same ids, for this connection. Returns whether it is of a campaign. */
export async function requeueMessage(ctx: Ctx, id: number, connectionId: number): Promise<boolean> {
  const [requeued] = await ctx.raw(REQUEUE, [ctx.companyId, id, connectionId]);
  return requeued?.isOfCampaign === true;
}

/** A message to be sent by the line, with its quote and file, and what the gate at the line asks. */
export interface QueuedMessage extends AtLineFacts {
  readonly id: number;
  readonly ticketId: number;
  readonly contactId: number;
  readonly waId: string;
  readonly createdAt: Date;
  readonly mediaType: MediaType;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly quoted: {
    readonly waId: string;
    readonly fromMe: boolean;
    readonly body: string;
    readonly participant: PersonRef | null;
  } | null;
  readonly file: {
    readonly key: string;
    readonly name: string;
    readonly mimeType: string;
    readonly size: number;
    readonly width: number | null;
    readonly height: number | null;
    readonly seconds: number | null;
    readonly isVoice: boolean;
    /** A small JPEG of a video, in base64. */
    readonly thumbnail: string | null;
  } | null;
}

const FIND_NEXT_QUEUED: Statement<QueuedMessage> = {
  name: "message_next_queued",
  text: `select m.id, m.ticket_id as "ticketId", m.contact_id as "contactId", m.wa_id as "waId",
      m.created_at as "createdAt", m.media_type as "mediaType", m.body, m.data,
      case when q.id is not null then json_build_object('waId', q.wa_id, 'fromMe', q.from_me, 'body', q.body,
        'participant', q.participant) end as quoted,
      case when f.message_id is not null then json_build_object('key', f.storage_key, 'name', coalesce(f.file_name, 'file'),
        'mimeType', coalesce(f.mime_type, 'application/octet-stream'), 'size', coalesce(f.size, 0), 'width', f.width,
        'height', f.height, 'seconds', f.seconds, 'isVoice', f.is_voice,
        'thumbnail', case when m.media_type = 'video' then encode(f.thumbnail, 'base64') end) end as file,
      ${atLineColumns("$5::timestamptz")}
    from messages m
    ${atLineJoins("$4::timestamptz")}
    left join messages q on q.id = m.quoted_id
    left join media f on f.message_id = m.id
    where m.company_id = $1 and m.connection_id = $2 and m.ticket_id = $3 and m.from_me and m.ack = 0 and not m.is_deleted
    order by m.id limit 1`,
};

/** The oldest queued message of a ticket. */
export async function findNextQueued(
  ctx: Ctx,
  connectionId: number,
  ticketId: number,
): Promise<QueuedMessage | undefined> {
  const [message] = await ctx.raw(FIND_NEXT_QUEUED, [
    ...[ctx.companyId, connectionId, ticketId],
    ...[repliesSince(ctx.now()), startedSince(ctx.now())],
  ]);
  return message;
}
