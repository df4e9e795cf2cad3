import type { MediaType, SendFailure } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { Address, PersonRef } from "#server/whatsapp/port.ts";
import type { ChangeFailure } from "./change-failures.queries.ts";

/** A message as the verbs need it. */
export interface MessageRow {
  readonly id: number;
  readonly ticketId: number;
  readonly contactId: number;
  readonly connectionId: number | null;
  readonly waId: string;
  readonly fromMe: boolean;
  readonly ack: number;
  readonly mediaType: MediaType;
  readonly body: string;
  readonly isDeleted: boolean;
  readonly isStub: boolean;
  readonly sentAt: Date;
  readonly changeFailure: ChangeFailure | null;
  /** Who wrote, in a group. */
  readonly participant: PersonRef | null;
}

const columns = `m.id, m.ticket_id as "ticketId", m.contact_id as "contactId", m.connection_id as "connectionId",
  m.wa_id as "waId", m.from_me as "fromMe", m.ack, m.media_type as "mediaType", m.body, m.is_deleted as "isDeleted",
  m.is_stub as "isStub", m.sent_at as "sentAt", m.change_failure as "changeFailure", m.participant`;

const FIND_MESSAGE: Statement<MessageRow> = {
  name: "message_find",
  text: `select ${columns} from messages m where m.company_id = $1 and m.id = $2`,
};

const LOCK_MESSAGE: Statement<MessageRow> = {
  name: "message_lock",
  text: `select ${columns} from messages m where m.company_id = $1 and m.id = $2 for no key update`,
};

/** ERR_NO_MESSAGE_FOUND when it is not this company's. */
export async function findMessage(ctx: Ctx, id: number): Promise<MessageRow> {
  return present(await ctx.raw(FIND_MESSAGE, [ctx.companyId, id]));
}

/** The same, locked. Lock its ticket first: everybody takes the two in this order. */
export async function lockMessage(ctx: Ctx, id: number): Promise<MessageRow> {
  return present(await ctx.raw(LOCK_MESSAGE, [ctx.companyId, id]));
}

function present([message]: MessageRow[]): MessageRow {
  if (!message) {
    throw new AppError("ERR_NO_MESSAGE_FOUND");
  }
  return message;
}

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

const INSERT_OUTBOUND: Statement<{ id: number }> = {
  name: "message_insert_outbound",
  text: `insert into messages (company_id, ticket_id, contact_id, connection_id, queue_id, user_id, wa_id, client_id, from_me,
      is_automatic, ack, is_read, media_type, body, data, quoted_id, quoted_wa_id, sent_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, true, $9, 0, true, $10, $11, $12,
      (select id from messages where company_id = $1 and id = $13::bigint and ticket_id = $2),
      (select wa_id from messages where company_id = $1 and id = $13::bigint and ticket_id = $2), $14)
    on conflict (company_id, client_id) do nothing
    returning id`,
};

/** Stores a message to be sent. Undefined when its client id is known: it is the same message again. */
export async function insertOutbound(ctx: Ctx, message: NewMessage): Promise<number | undefined> {
  const { ticketId, contactId, connectionId, queueId, userId, waId, clientId } = message;
  const { isAutomatic, mediaType, body, data, quotedId, sentAt } = message;
  const place = [ctx.companyId, ticketId, contactId, connectionId, queueId, userId, waId, clientId];
  const content = [isAutomatic, mediaType, body, data && JSON.stringify(data), quotedId, sentAt];
  const [row] = await ctx.raw(INSERT_OUTBOUND, [...place, ...content]);
  return row?.id;
}

const FIND_BY_CLIENT: Statement<{ id: number; ticketId: number }> = {
  name: "messages_by_client",
  text: `select id, ticket_id as "ticketId" from messages where company_id = $1 and client_id = any($2::text[]) order by id`,
};

/** Messages that were stored under these client ids before. */
export async function findByClientIds(
  ctx: Ctx,
  clientIds: readonly string[],
): Promise<{ id: number; ticketId: number }[]> {
  return ctx.raw(FIND_BY_CLIENT, [ctx.companyId, clientIds]);
}

const IS_BLOCKED: Statement<{ isBlocked: boolean }> = {
  name: "message_contact_blocked",
  text: `select is_blocked as "isBlocked" from contacts where company_id = $1 and id = $2`,
};

/** Does the company not write to this contact? */
export async function isContactBlocked(ctx: Ctx, contactId: number): Promise<boolean> {
  const [contact] = await ctx.raw(IS_BLOCKED, [ctx.companyId, contactId]);
  return contact?.isBlocked ?? false;
}

const MARK_READ: Statement<{ waId: string; participant: PersonRef | null }> = {
  name: "messages_mark_read",
  text: `update messages set is_read = true where company_id = $1 and ticket_id = $2 and not from_me and not is_read
    returning wa_id as "waId", participant`,
};

/** The contact's messages of a ticket are read; returns those that were not, for the receipts. */
export async function markMessagesRead(
  ctx: Ctx,
  ticketId: number,
): Promise<{ readonly waId: string; readonly participant: PersonRef | null }[]> {
  return ctx.raw(MARK_READ, [ctx.companyId, ticketId]);
}

const CHAT_ADDRESS: Statement<Address> = {
  name: "chat_address",
  text: `select kind, value from contact_identifiers where company_id = $1 and connection_id = $2 and contact_id = $3
    union all
    select 'phone', number from contacts where company_id = $1 and id = $3 and number is not null and not is_group
    order by 1 desc, 2 limit 1`,
};

/** How the line writes to a contact: by number where it is known, else by LID; a group by its id. */
export async function findAddress(ctx: Ctx, connectionId: number, contactId: number): Promise<Address | undefined> {
  const [address] = await ctx.raw(CHAT_ADDRESS, [ctx.companyId, connectionId, contactId]);
  return address;
}

const ADVANCE: Statement<{ id: number; ticketId: number }> = {
  name: "messages_advance",
  text: `update messages m set ack = $4, fail_reason = null, version = m.version + 1
    where m.company_id = $1 and m.connection_id = $2 and m.wa_id = any($3::text[]) and m.from_me and m.ack < $4
    returning m.id, m.ticket_id as "ticketId"`,
};

const FAIL: Statement<{ id: number; ticketId: number }> = {
  name: "messages_fail",
  text: `update messages m set ack = -1, fail_reason = $4, version = m.version + 1
    where m.company_id = $1 and m.connection_id = $2 and m.wa_id = any($3::text[]) and m.from_me and m.ack = 0
    returning m.id, m.ticket_id as "ticketId"`,
};

export interface Touched {
  readonly id: number;
  readonly ticketId: number;
}

/** States only move forward (behaviour 3): what WhatsApp says late or twice changes nothing. Returns what moved. */
export async function advanceMessages(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
  ack: 1 | 2 | 3 | 4 | 5,
): Promise<Touched[]> {
  return ctx.raw(ADVANCE, [ctx.companyId, connectionId, waIds, ack]);
}

/** Queued messages that will not be sent. */
export async function failMessages(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
  reason: SendFailure,
): Promise<Touched[]> {
  return ctx.raw(FAIL, [ctx.companyId, connectionId, waIds, reason]);
}

const FAIL_UNSENT: Statement<Touched> = {
  name: "messages_fail_unsent",
  text: `update messages set ack = -1, fail_reason = $3, version = version + 1
    where company_id = $1 and connection_id = $2 and from_me and ack = 0 returning id, ticket_id as "ticketId"`,
};

/** Nothing that waits for this connection will be sent. */
export async function failUnsent(ctx: Ctx, connectionId: number, reason: SendFailure): Promise<Touched[]> {
  return ctx.raw(FAIL_UNSENT, [ctx.companyId, connectionId, reason]);
}

const REQUEUE: Statement<never> = {
  name: "message_requeue",
  text: `update messages set ack = 0, fail_reason = null, connection_id = $3, version = version + 1
    where company_id = $1 and id = $2 and from_me and ack = -1`,
};

/** A failed message waits again, under the same ids, for this connection. */
export async function requeueMessage(ctx: Ctx, id: number, connectionId: number): Promise<void> {
  await ctx.raw(REQUEUE, [ctx.companyId, id, connectionId]);
}

export interface Unsent {
  readonly id: number;
  readonly ticketId: number;
  readonly contactId: number;
  readonly waId: string;
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

const NEXT_UNSENT: Statement<Unsent> = {
  name: "message_next_unsent",
  text: `select m.id, m.ticket_id as "ticketId", m.contact_id as "contactId", m.wa_id as "waId", m.media_type as "mediaType",
      m.body, m.data,
      case when q.id is not null then json_build_object('waId', q.wa_id, 'fromMe', q.from_me, 'body', q.body,
        'participant', q.participant) end as quoted,
      case when f.message_id is not null then json_build_object('key', f.storage_key, 'name', coalesce(f.file_name, 'file'),
        'mimeType', coalesce(f.mime_type, 'application/octet-stream'), 'size', coalesce(f.size, 0), 'width', f.width,
        'height', f.height, 'seconds', f.seconds, 'isVoice', f.is_voice,
        'thumbnail', case when m.media_type = 'video' then encode(f.thumbnail, 'base64') end) end as file
    from messages m
    left join messages q on q.id = m.quoted_id
    left join media f on f.message_id = m.id
    where m.company_id = $1 and m.connection_id = $2 and m.ticket_id = $3 and m.from_me and m.ack = 0 and not m.is_deleted
    order by m.id limit 1`,
};

/** The oldest message of a ticket that WhatsApp has not taken yet. */
export async function nextUnsent(ctx: Ctx, connectionId: number, ticketId: number): Promise<Unsent | undefined> {
  const [message] = await ctx.raw(NEXT_UNSENT, [ctx.companyId, connectionId, ticketId]);
  return message;
}
