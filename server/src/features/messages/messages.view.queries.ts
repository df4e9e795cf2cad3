import { pageSize } from "@prosa/contract";
import type { Message, TicketStatus } from "@prosa/contract";
import {
  contactSummaryJson,
  episodeColumns,
  isoText,
  isViewKept,
  objectJson,
  openedTicketJson,
  ticketVersion,
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

const fileJson = `case when md.message_id is not null then json_build_object(
      'state', md.state, 'fileName', md.file_name, 'mimeType', md.mime_type, 'size', md.size, 'width', md.width,
      'height', md.height, 'seconds', md.seconds, 'isVoice', md.is_voice,
      'thumbnail', 'data:image/jpeg;base64,' || translate(encode(md.thumbnail, 'base64'), E'\\n', ''),
      'waveform', translate(encode(md.waveform, 'base64'), E'\\n', '')) end`;

const linkJson = `case when ln.title is not null and not m.is_deleted and position(ln.address in m.body) > 0 then
      json_build_object('url', ln.url, 'title', ln.title, 'description', ln.description,
        'picture', 'data:image/jpeg;base64,' || translate(encode(ln.picture, 'base64'), E'\\n', '')) end`;

const reactionsJson = `coalesce((
      select json_agg(json_build_object('emoji', r.emoji, 'fromMe', r.sender = '', 'name', r.sender_name) order by r.at)
      from message_reactions r where r.message_id = m.id), '[]')`;

/** SQL of the parts of a message view that come from other tables. */
interface MessageParts {
  readonly contact: string;
  /** Of the user with this id, or null. */
  readonly quotedUser: (id: string) => string;
  readonly user: string;
  readonly file: string;
  readonly fileMarker: string;
  readonly link: string;
  readonly reactions: string;
}

/** Columns of the contract's message view: of the row `m`, and of `qm`, which it quotes. */
const messageColumns = (
  parts: MessageParts,
) => `m.id, m.ticket_id as "ticketId", m.client_id as "clientId", m.body, m.from_me as "fromMe",
    m.is_automatic as "isAutomatic", m.is_read as "read", m.ack, case when m.ack = -1 then m.fail_reason end as "failReason",
    m.change_failure as "changeFailure", m.media_type as "mediaType",
    ${parts.fileMarker} as "mediaUrl", ${parts.fileMarker} as "mediaPath", ${parts.file} as media,
    case when not m.is_deleted then m.transcript end as transcript, ${parts.link} as "linkPreview", m.data, qm.id as "quotedMsgId",
    case when qm.id is not null then ${objectJson(`qm.id, qm.client_id as "clientId", qm.body,
      qm.media_type as "mediaType", qm.from_me as "fromMe", qm.is_automatic as "isAutomatic", qm.is_deleted as "isDeleted",
      ${parts.quotedUser("qm.user_id")} as "user",
      case when not qm.from_me then ${parts.contact} end as contact, ${participantJson("qm")} as participant`)} end as "quotedMsg",
    m.is_deleted as "isDeleted", m.is_edited as "isEdited", ${parts.reactions} as reactions,
    ${isoText("m.sent_at")} as "createdAt", m.id as sequence,
    case when not m.from_me then ${parts.contact} end as contact, ${participantJson("m")} as participant,
    ${parts.user} as "user", m.queue_id as "queueId", m.version`;

const peopleJoins = `
    join contacts c on c.id = m.contact_id
    left join users u on u.id = m.user_id`;

const authorJson = (alias: string) => `json_build_object('id', ${alias}.id, 'name', ${alias}.name)`;
const people = {
  contact: contactSummaryJson("c"),
  user: `case when u.id is not null then ${authorJson("u")} end`,
  quotedUser: (id: string) => `(select ${authorJson("qu")} from users qu where qu.id = ${id})`,
};

/** Files and cards of the row `m`. A text has no file: the null spares it the look-up. */
const extraJoins = `
    left join media md on md.message_id = case when m.media_type <> 'chat' then m.id end
    left join link_previews ln on ln.message_id = m.id`;

/** The message that `m` quotes, by the id of its row or of another. */
const quoteJoin = (id: string) => `
    left join lateral (
      select x.id, x.client_id, x.body, x.media_type, x.from_me, x.is_automatic, x.user_id, x.is_deleted, x.participant from messages x
      where x.id = ${id} limit 1
    ) qm on true`;

/**
 * Quotes are looked up by WhatsApp id as well, because the quoted message may be received after the quote.
 * `case`, not `coalesce`: under row-level security only leakproof expressions may use an index.
 */
const quoteJoins = `
    ${quoteJoin(`case when m.quoted_id is not null then m.quoted_id when m.quoted_wa_id is not null then (
        select y.id from messages y
        where y.connection_id = m.connection_id and y.wa_id = m.quoted_wa_id and y.ticket_id = m.ticket_id limit 1) end`)}`;

const extras = { file: fileJson, fileMarker, link: linkJson, reactions: reactionsJson };
const messageJson = objectJson(messageColumns({ ...people, ...extras }));

/**
 * The view of the row `m` that a statement of ours stores, for its RETURNING. It opens no table of what a message only gets
 * afterwards: its file, card and reactions.
 */
export const storedMessageJson = `(select ${objectJson(
  messageColumns({
    ...people,
    file: "null::json",
    fileMarker: "null::text",
    link: "null::json",
    reactions: "'[]'::json",
  }),
)} from (select m.*) m ${peopleJoins} ${quoteJoin("m.quoted_id")})`;

/**
 * The same of the rows `shown` of one ticket, with its contact `c`, and with reactions only where there are any. Users are ids until
 * `fillNames` replaces them: that join was a tenth of a conversation (decision 0293).
 */
const shownMessageColumns = messageColumns({
  ...extras,
  contact: people.contact,
  user: "m.user_id",
  quotedUser: (id) => id,
  reactions: `case when (select exists (select from message_reactions r where r.message_id = any(array(select id from shown))))
      then ${reactionsJson} else '[]' end`,
});

const countSql = `(select count(*) from (
            select from messages m where m.company_id = $1 and m.ticket_id = $2 limit ${countCap}) counted)`;

export interface ConversationPage {
  /** The response of GET /messages/{ticketId} as JSON without the ticket, before `fillNames`; media URLs are unsigned. */
  readonly page: string;
  /** Of the ticket's view (`readCachedView`). */
  readonly ticketVersion: string;
  /** The view itself, before `fillNames`, where none of the ticket was kept. */
  readonly ticketView: string | null;
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

/**
 * One statement for a page: its messages, oldest first, the ticket, and the episodes of the page's period; and, if asked for, the
 * ticket's view: by itself it takes a third of what the page takes.
 */
function conversation(kind: keyof typeof pageKinds, { withTicket = false } = {}): Statement<ConversationPage> {
  const { isCursorFound, where, order, limit, offset } = pageKinds[kind];
  // A whole conversation on its first page is counted already.
  const count =
    kind === "page" ? `case when $3 = 0 and sized.rows <= ${limit} then sized.rows else ${countSql} end` : countSql;
  return {
    name: `conversation_${kind}${withTicket ? "_with_ticket" : ""}`,
    text: `
      with ${kind === "jump" ? `limits as materialized (select ${jumpLimit} as size),` : ""}
      page as materialized (
        select m.* from messages m where m.company_id = $1 and m.ticket_id = $2 ${where}
        order by m.sent_at ${order}, m.id ${order} limit ${limit} + 1 ${offset}),
      shown as materialized (
        select * from page order by sent_at ${order}, id ${order} limit ${limit})
      select t.status, t.user_id as "userId", t.queue_id as "queueId", t.unread_messages as "unreadMessages",
        ${isCursorFound} as "isCursorFound",
        json_build_object(
          'messages', coalesce((
            select json_agg(v) from (
              select ${shownMessageColumns} from shown m ${extraJoins} ${quoteJoins} order by m.sent_at, m.id) v), '[]'),
          'episodes', coalesce((
            select json_agg(v) from (select ${episodeColumns} from episodes ep
            where ep.ticket_id = t.id
              and coalesce(ep.finished_at, 'infinity') >= (select min(sent_at) from shown)
              and (${kind === "page" ? "$3::int = 0 or" : ""} ep.queued_at < (select max(sent_at) + interval '1 second' from shown))
            order by ep.id) v), '[]'),
          'count', ${count},
          'hasMore', sized.rows > ${limit})::text as page,
        ${ticketVersion} as "ticketVersion", ${withTicket ? `${openedTicketJson}::text` : "null::text"} as "ticketView"
      from (select count(*) as rows from page) sized
        cross join tickets t join contacts c on c.id = t.contact_id where t.company_id = $1 and t.id = $2`,
  };
}

const CONVERSATION = {
  page: conversation("page"),
  pageWithTicket: conversation("page", { withTicket: true }),
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
  const statement = isViewKept(ticketId) ? CONVERSATION.page : CONVERSATION.pageWithTicket;
  return { statement, values: [companyId, ticketId, (request.pageNumber - 1) * pageSize.messages] };
}

const MESSAGE_VIEWS: Statement<{ message: Message }> = {
  name: "message_views",
  text: `select ${messageJson} as message from messages m ${peopleJoins} ${extraJoins} ${quoteJoins}
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
