import { pageSize } from "@prosa/contract";
import type { Message, TicketStatus } from "@prosa/contract";
import {
  contactSummaryJson,
  episodeJoins,
  episodeJson,
  isoText,
  ticketJoins,
  ticketJson,
} from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** Counts are capped, as those of tickets are (decision 0051). */
const countCap = 1_000;
/** The largest page of a jump to an old message: hundreds of small pages would take a minute. */
const maxJumpSize = 1_000;
/** The largest page of messages after a cursor, for browsers that reconnect. */
const afterLimit = 200;

/** The author, in a group. */
const participantJson = (alias: string) =>
  `case when ${alias}.participant is not null then
    json_build_object('number', ${alias}.participant -> 'number', 'name', ${alias}.participant -> 'name') end`;

/** The marker that `signMediaUrls` turns into a URL. */
const fileMarker = `case when md.state = 'ready' and not m.is_deleted then
    'media:' || coalesce(md.mime_type, '') || '|' || coalesce(md.file_name, '') || '|' || md.storage_key end`;

/** The message view of the contract as SQL. */
const messageJson = `json_build_object(
    'id', m.id, 'ticketId', m.ticket_id, 'clientId', m.client_id, 'body', m.body, 'fromMe', m.from_me,
    'isAutomatic', m.is_automatic, 'read', m.is_read, 'ack', m.ack, 'failReason', case when m.ack = -1 then m.fail_reason end, 'changeFailure', m.change_failure,
    'mediaType', m.media_type,
    'mediaUrl', ${fileMarker}, 'mediaPath', ${fileMarker},
    'media', case when md.message_id is not null then json_build_object(
      'state', md.state, 'fileName', md.file_name, 'mimeType', md.mime_type, 'size', md.size, 'width', md.width,
      'height', md.height, 'seconds', md.seconds, 'isVoice', md.is_voice,
      'thumbnail', 'data:image/jpeg;base64,' || translate(encode(md.thumbnail, 'base64'), E'\\n', ''),
      'waveform', translate(encode(md.waveform, 'base64'), E'\\n', '')) end,
    'linkPreview', case when ln.title is not null and not m.is_deleted and position(ln.address in m.body) > 0 then
      json_build_object('url', ln.url, 'title', ln.title, 'description', ln.description,
        'picture', 'data:image/jpeg;base64,' || translate(encode(ln.picture, 'base64'), E'\\n', '')) end,
    'data', m.data,
    'quotedMsgId', qm.id,
    'quotedMsg', case when qm.id is not null then json_build_object('id', qm.id, 'clientId', qm.client_id, 'body', qm.body,
      'mediaType', qm.media_type, 'fromMe', qm.from_me, 'isAutomatic', qm.is_automatic, 'isDeleted', qm.is_deleted,
      'user', (select json_build_object('id', qu.id, 'name', qu.name) from users qu where qu.id = qm.user_id),
      'contact', case when not qm.from_me then ${contactSummaryJson("c")} end, 'participant', ${participantJson("qm")}) end,
    'isDeleted', m.is_deleted, 'isEdited', m.is_edited,
    'reactions', coalesce((select json_agg(json_build_object('emoji', r.emoji, 'fromMe', r.sender = '', 'name', r.sender_name) order by r.at)
      from message_reactions r where r.message_id = m.id), '[]'),
    'createdAt', ${isoText("m.sent_at")}, 'sequence', m.id,
    'contact', case when not m.from_me then ${contactSummaryJson("c")} end,
    'participant', ${participantJson("m")},
    'user', case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end,
    'queueId', m.queue_id, 'version', m.version)`;

/**
 * Quotes are looked up by WhatsApp id as well, because the quoted message may be received after the quote.
 * `case`, not `coalesce`: under row-level security only leakproof expressions may use an index.
 */
const messageJoins = `
    join contacts c on c.id = m.contact_id
    left join users u on u.id = m.user_id
    left join media md on md.message_id = m.id
    left join link_previews ln on ln.message_id = m.id
    left join lateral (
      select y.id from messages y
      where y.connection_id = m.connection_id and y.wa_id = m.quoted_wa_id and y.ticket_id = m.ticket_id limit 1
    ) late on m.quoted_id is null and m.quoted_wa_id is not null
    left join lateral (
      select x.id, x.client_id, x.body, x.media_type, x.from_me, x.is_automatic, x.user_id, x.is_deleted, x.participant from messages x
      where x.id = case when m.quoted_id is null then late.id else m.quoted_id end limit 1
    ) qm on true`;

/** The view of the row `m` that a statement stores, for its RETURNING; its file is stored after it. */
export const storedMessageJson = `(select ${messageJson} from (select m.*) m ${messageJoins})`;

export interface ConversationPage {
  /** The response of GET /messages/{ticketId} as JSON without the ticket; media URLs are unsigned. */
  readonly page: string;
  /** The ticket view as JSON, before `fillNames`. */
  readonly ticket: string;
  readonly status: TicketStatus;
  readonly userId: number | null;
  readonly queueId: number | null;
  readonly unreadMessages: number;
  /** False if the cursor message is not in this conversation. */
  readonly isCursorFound: boolean;
}

const cursorExists = "exists (select from messages b where b.id = $3 and b.ticket_id = $2)";

/** The size of a jump: back to message `$4` and a page beyond it, at most `maxJumpSize`. */
const jumpLimit = `(select least(${maxJumpSize}, count(*) + ${pageSize.messages})::int from messages j
  where j.company_id = $1 and j.ticket_id = $2
    and (j.sent_at, j.id) >= (select b.sent_at, b.id from messages b where b.id = $4 and b.ticket_id = $2)
    and (j.sent_at, j.id) < (select b.sent_at, b.id from messages b where b.id = $3 and b.ticket_id = $2))`;

/**
 * The kinds of pages. `$3` is the offset, or the cursor message. The order is time, then row id, as in `compareMessages` of the
 * contract.
 */
const pageKinds = {
  page: { isCursorFound: "true", where: "", order: "desc", limit: pageSize.messages, offset: "offset $3::int" },
  before: {
    isCursorFound: cursorExists,
    where: "and (m.sent_at, m.id) < (select b.sent_at, b.id from messages b where b.id = $3 and b.ticket_id = $2)",
    order: "desc",
    limit: pageSize.messages,
    offset: "",
  },
  jump: {
    isCursorFound: cursorExists,
    where: "and (m.sent_at, m.id) < (select b.sent_at, b.id from messages b where b.id = $3 and b.ticket_id = $2)",
    order: "desc",
    limit: "(select size from limits)",
    offset: "",
  },
  after: {
    isCursorFound: cursorExists,
    where: "and (m.sent_at, m.id) > (select b.sent_at, b.id from messages b where b.id = $3 and b.ticket_id = $2)",
    order: "asc",
    limit: afterLimit,
    offset: "",
  },
} as const;

/** One statement for a page: its messages, oldest first, the ticket, and the episodes of the page's period. */
function conversation(kind: keyof typeof pageKinds): Statement<ConversationPage> {
  const { isCursorFound, where, order, limit, offset } = pageKinds[kind];
  return {
    name: `conversation_${kind}`,
    text: `
      with ${kind === "jump" ? `limits as materialized (select ${jumpLimit} as size),` : ""}
      page as materialized (
        select m.id, m.sent_at from messages m where m.company_id = $1 and m.ticket_id = $2 ${where}
        order by m.sent_at ${order}, m.id ${order} limit ${limit} + 1 ${offset}),
      shown as materialized (
        select id, sent_at from page order by sent_at ${order}, id ${order} limit ${limit})
      select t.status, t.user_id as "userId", t.queue_id as "queueId", t.unread_messages as "unreadMessages",
        ${isCursorFound} as "isCursorFound",
        json_build_object(
          'messages', coalesce((
            select json_agg(${messageJson} order by s.sent_at, s.id) from shown s join messages m on m.id = s.id ${messageJoins}), '[]'),
          'episodes', coalesce((
            select json_agg(${episodeJson} order by ep.id) from episodes ep ${episodeJoins}
            where ep.ticket_id = t.id
              and coalesce(ep.finished_at, 'infinity') >= (select min(sent_at) from shown)
              and (${kind === "page" ? "$3::int = 0 or" : ""} ep.queued_at < (select max(sent_at) + interval '1 second' from shown))), '[]'),
          'count', (select count(*) from (select from messages m where m.company_id = $1 and m.ticket_id = $2 limit ${countCap}) counted),
          'hasMore', (select count(*) > ${limit} from page))::text as page,
        (select ${ticketJson} from (select t.*) t ${ticketJoins})::text as ticket
      from tickets t where t.company_id = $1 and t.id = $2`,
  };
}

const CONVERSATION = {
  page: conversation("page"),
  before: conversation("before"),
  jump: conversation("jump"),
  after: conversation("after"),
};

/** The statement and its values for one page of a conversation. */
export function conversationQuery(
  companyId: number,
  ticketId: number,
  request: {
    readonly pageNumber: number;
    readonly before?: number | undefined;
    readonly upTo?: number | undefined;
    readonly after?: number | undefined;
  },
): { readonly statement: Statement<ConversationPage>; readonly values: readonly unknown[] } {
  if (request.before !== undefined && request.upTo !== undefined) {
    return { statement: CONVERSATION.jump, values: [companyId, ticketId, request.before, request.upTo] };
  }
  if (request.before !== undefined) {
    return { statement: CONVERSATION.before, values: [companyId, ticketId, request.before] };
  }
  if (request.after !== undefined) {
    return { statement: CONVERSATION.after, values: [companyId, ticketId, request.after] };
  }
  return { statement: CONVERSATION.page, values: [companyId, ticketId, (request.pageNumber - 1) * pageSize.messages] };
}

const MESSAGE_VIEWS: Statement<{ message: Message }> = {
  name: "message_views",
  text: `select ${messageJson} as message from messages m ${messageJoins}
    where m.company_id = $1 and m.id = any($2::bigint[]) order by m.id`,
};

/** The views of these messages in row order. Media URLs are unsigned. */
export async function readMessageViews(ctx: Ctx, ids: readonly number[]): Promise<Message[]> {
  const rows = await ctx.raw(MESSAGE_VIEWS, [ctx.companyId, ids]);
  return rows.map(({ message }) => message);
}

const EDITS: Statement<{ body: string; at: Date }> = {
  name: "message_edit_history",
  text: `select body, at from message_edits where company_id = $1 and message_id = $2 order by id limit 200`,
};

/** The earlier texts of a message, oldest first. */
export async function readEdits(ctx: Ctx, messageId: number): Promise<{ body: string; at: Date }[]> {
  return ctx.raw(EDITS, [ctx.companyId, messageId]);
}
