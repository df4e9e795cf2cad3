import type { MediaType } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";

/** The author of a group message, with both addresses: quotes and read receipts name the author by address. */
export interface Participant extends PersonRef {
  /** The displayed number: the phone number, or the LID if WhatsApp hides it. */
  readonly number: string;
  readonly name: string;
}

/** A message that a line received, or that was sent from its phone. */
export interface ReceivedMessage {
  readonly ticketId: number;
  readonly contactId: number;
  readonly queueId: number | null;
  readonly waId: string;
  readonly fromMe: boolean;
  readonly mediaType: MediaType;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly quotedWaId: string | null;
  readonly participant: Participant | null;
  /** The message could not be decrypted yet. */
  readonly isPlaceholder: boolean;
  /** Own messages and those of blocked contacts count as read. */
  readonly isRead: boolean;
  readonly sentAt: Date;
  readonly media: ReceivedMedia | null;
  /** The preview of its first address that came with it. */
  readonly link: ReceivedLink | null;
}

/** Stored without a hash: no other message takes over what a contact says of an address (spoofing). */
export interface ReceivedLink {
  readonly address: string;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly picture: Uint8Array | null;
}

export interface ReceivedMedia {
  readonly fileName: string | null;
  readonly mimeType: string;
  readonly size: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly seconds: number | null;
  readonly isVoice: boolean;
  readonly thumbnail: Uint8Array | null;
  readonly waveform?: Uint8Array | null;
  /** Address and key of the file on WhatsApp, encrypted (`mediaSourceContext`). */
  readonly source: Uint8Array;
}

export interface StoredMessage {
  readonly id: number;
  readonly contactId: number;
  readonly waId: string;
  readonly fromMe: boolean;
  /** False: a placeholder got its content, or a call its outcome. Known by the version, which an update raises. */
  readonly isNew: boolean;
  /** Edits, deletions or reactions of it were received before it. */
  readonly hasPendingChanges: boolean;
}

/**
 * Only the unique key decides what is a duplicate (behaviour 3). A conflict updates the row in two cases: a placeholder gets
 * its content, never the reverse, and a call its outcome. Author and ticket must match, so that another member of a group
 * cannot overwrite a message by reusing its id.
 */
const STORED = `
    with received as (
      select * from jsonb_to_recordset($3::jsonb) as v(ticket_id int, contact_id int, queue_id int, wa_id text, from_me boolean,
        media_type text, body text, data jsonb, quoted_wa_id text, participant jsonb, is_stub boolean, is_read boolean, sent_at timestamptz,
        media jsonb, link jsonb)),
    stored as (
      insert into messages as m (company_id, connection_id, ticket_id, contact_id, queue_id, wa_id, from_me, ack, is_read,
        media_type, body, data, quoted_wa_id, participant, is_stub, sent_at, created_at)
      select $1, $2, ticket_id, contact_id, queue_id, wa_id, from_me, from_me::int, is_read, media_type, body,
        data, quoted_wa_id, participant, is_stub, sent_at, $4::timestamptz from received
      on conflict (connection_id, wa_id, contact_id, from_me) do update set media_type = excluded.media_type, body = excluded.body,
        data = excluded.data, quoted_wa_id = excluded.quoted_wa_id, is_stub = false, version = m.version + 1
      where m.ticket_id = excluded.ticket_id
        and (m.participant ->> 'lid' = excluded.participant ->> 'lid') is not false
        and (m.participant ->> 'phone' = excluded.participant ->> 'phone') is not false
        and ((m.is_stub and not excluded.is_stub)
          or (m.media_type = 'call_log' and excluded.media_type = 'call_log' and m.data is distinct from excluded.data))
      returning m.id, m.contact_id, m.wa_id, m.from_me, m.version = 1 as is_new)`;

const FILES_AND_LINKS = `,
    files as (
      insert into media (message_id, company_id, state, file_name, mime_type, size, width, height, seconds, is_voice,
        thumbnail, waveform, source)
      select s.id, $1, 'wanted', f.file_name, f.mime_type, f.size, f.width, f.height, f.seconds, f.is_voice,
        decode(f.thumbnail, 'base64'), decode(f.waveform, 'base64'), decode(f.source, 'base64')
      from stored s join received n on n.wa_id = s.wa_id and n.contact_id = s.contact_id and n.from_me = s.from_me,
        jsonb_to_record(coalesce(n.media, '{}')) as f(file_name text, mime_type text, size bigint, width int, height int, seconds real,
          is_voice boolean, thumbnail text, waveform text, source text)
      where n.media is not null
      on conflict (message_id) do nothing),
    links as (
      insert into link_previews (message_id, company_id, address, url, url_hash, title, description, picture, fetched_at)
      select s.id, $1, l.address, l.url, '', l.title, l.description,
        decode(l.picture, 'base64'), n.sent_at
      from stored s join received n on n.wa_id = s.wa_id and n.contact_id = s.contact_id and n.from_me = s.from_me,
        jsonb_to_record(coalesce(n.link, '{}')) as l(address text, url text, title text, description text, picture text)
      where n.link is not null
      on conflict (message_id) do nothing)`;

const STORED_MESSAGES = `
    select id, contact_id as "contactId", wa_id as "waId", from_me as "fromMe", is_new as "isNew", exists (
        select from message_changes_waiting w
        where w.company_id = $1 and w.connection_id = $2 and w.wa_id = stored.wa_id) as "hasPendingChanges"
    from stored order by id`;

/** Texts alone: without the rows of files and links, whose tables the statement would open for nothing. */
const RECORD_TEXTS: Statement<StoredMessage> = {
  name: "messages_record_received_texts",
  text: `${STORED}${STORED_MESSAGES}`,
};

const RECORD_RECEIVED: Statement<StoredMessage> = {
  name: "messages_record_received",
  text: `${STORED}${FILES_AND_LINKS}${STORED_MESSAGES}`,
};

/**
 * Stores received messages in the given order, with the rows of their files. Returns the inserted and the updated ones. The
 * list must not contain a message twice: the same id, chat and direction.
 */
export async function recordReceived(
  ctx: Ctx,
  connectionId: number,
  messages: readonly ReceivedMessage[],
): Promise<StoredMessage[]> {
  if (messages.length === 0) {
    return [];
  }
  const areTexts = messages.every(({ media, link }) => media === null && link === null);
  return ctx.raw(areTexts ? RECORD_TEXTS : RECORD_RECEIVED, [
    ctx.companyId,
    connectionId,
    JSON.stringify(messages.map(rowOf)),
    ctx.now(),
  ]);
}

function rowOf(message: ReceivedMessage) {
  const { media, link } = message;
  return {
    ticket_id: message.ticketId,
    contact_id: message.contactId,
    queue_id: message.queueId,
    wa_id: message.waId,
    from_me: message.fromMe,
    media_type: message.mediaType,
    body: message.body,
    data: message.data,
    quoted_wa_id: message.quotedWaId,
    participant: message.participant,
    is_stub: message.isPlaceholder,
    is_read: message.isRead,
    sent_at: message.sentAt,
    media: media && {
      file_name: media.fileName,
      mime_type: media.mimeType,
      size: media.size,
      width: media.width,
      height: media.height,
      seconds: media.seconds,
      is_voice: media.isVoice,
      thumbnail: media.thumbnail && Buffer.from(media.thumbnail).toString("base64"),
      waveform: media.waveform && Buffer.from(media.waveform).toString("base64"),
      source: Buffer.from(media.source).toString("base64"),
    },
    link: link && { ...link, picture: link.picture && Buffer.from(link.picture).toString("base64") },
  };
}
