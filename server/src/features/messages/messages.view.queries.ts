import { pageSize } from "@prosa/contract";
import type { Message } from "@prosa/contract";
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

/** Counts stop here, as those of tickets do (decision 0051). */
const countCap = 1_000;
/** A jump to an old message loads so many messages at once: hundreds of small pages would take a minute. */
const jumpMost = 1_000;
/** What a browser that returns may ask for at once. */
const afterLimit = 200;

/** Who wrote, in a group. */
const participantJson = (of: string) =>
  `case when ${of}.participant is not null then
    json_build_object('number', ${of}.participant -> 'number', 'name', ${of}.participant -> 'name') end`;

/** The view of the contract, written by the database. `mediaUrl` is a marker that `signMediaUrls` turns into an address. */
const messageJson = `json_build_object(
    'id', m.id, 'ticketId', m.ticket_id, 'clientId', m.client_id, 'body', m.body, 'fromMe', m.from_me,
    'isAutomatic', m.is_automatic, 'read', m.is_read, 'ack', m.ack, 'failReason', m.fail_reason, 'changeFailure', m.change_failure,
    'mediaType', m.media_type,
    'mediaUrl', case when md.state = 'ready' and not m.is_deleted then 'media:' || coalesce(md.mime_type, '') || '|' || coalesce(md.file_name, '') || '|' || md.storage_key end,
    'mediaPath', md.storage_key,
    'media', case when md.message_id is not null then json_build_object(
      'state', md.state, 'fileName', md.file_name, 'mimeType', md.mime_type, 'size', md.size, 'width', md.width,
      'height', md.height, 'seconds', md.seconds, 'isVoice', md.is_voice,
      'thumbnail', 'data:image/jpeg;base64,' || translate(encode(md.thumbnail, 'base64'), E'\\n', '')) end,
    'data', m.data,
    'quotedMsgId', qm.id,
    'quotedMsg', case when qm.id is not null then json_build_object('id', qm.id, 'body', qm.body, 'mediaType', qm.media_type,
      'fromMe', qm.from_me, 'isDeleted', qm.is_deleted,
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
 * A quote is looked up by WhatsApp's id as well: the quoted message may have come after the one that quotes it.
 * `case`, not `coalesce`: under row-level security only expressions that cannot leak reach an index.
 */
const messageJoins = `
    join contacts c on c.id = m.contact_id
    left join users u on u.id = m.user_id
    left join media md on md.message_id = m.id
    left join lateral (
      select y.id from messages y
      where y.connection_id = m.connection_id and y.wa_id = m.quoted_wa_id and y.ticket_id = m.ticket_id limit 1
    ) late on m.quoted_id is null and m.quoted_wa_id is not null
    left join lateral (
      select x.id, x.body, x.media_type, x.from_me, x.is_deleted, x.participant from messages x
      where x.id = case when m.quoted_id is null then late.id else m.quoted_id end limit 1
    ) qm on true`;

export interface ConversationPage {
  /** The answer of GET /messages/{ticketId} but for the ticket, unsigned. */
  readonly page: string;
  /** The ticket's view, before `fillNames`. */
  readonly ticket: string;
  readonly userId: number | null;
  readonly queueId: number | null;
  readonly unreadMessages: number;
  /** False: the message to go on from is not in this conversation. */
  readonly isPlaced: boolean;
}

const placed = "exists (select from messages b where b.id = $3 and b.ticket_id = $2)";

/** As far as the message `$4`, which is jumped to, and a page beyond it; no farther than the largest page. */
const jumpLimit = `(select least(${jumpMost}, count(*) + ${pageSize.messages})::int from messages j
  where j.company_id = $1 and j.ticket_id = $2
    and (j.sent_at, j.id) >= (select b.sent_at, b.id from messages b where b.id = $4 and b.ticket_id = $2)
    and (j.sent_at, j.id) < (select b.sent_at, b.id from messages b where b.id = $3 and b.ticket_id = $2))`;

/**
 * How a page is chosen; `$3` is the offset, or the message to go on from. Time first, then the order of storing: what
 * `compareMessages` of the contract says.
 */
const choices = {
  page: { placed: "true", where: "", order: "desc", limit: pageSize.messages, offset: "offset $3::int" },
  before: {
    placed,
    where: "and (m.sent_at, m.id) < (select b.sent_at, b.id from messages b where b.id = $3 and b.ticket_id = $2)",
    order: "desc",
    limit: pageSize.messages,
    offset: "",
  },
  jump: {
    placed,
    where: "and (m.sent_at, m.id) < (select b.sent_at, b.id from messages b where b.id = $3 and b.ticket_id = $2)",
    order: "desc",
    limit: "(select size from limits)",
    offset: "",
  },
  after: {
    placed,
    where: "and (m.sent_at, m.id) > (select b.sent_at, b.id from messages b where b.id = $3 and b.ticket_id = $2)",
    order: "asc",
    limit: afterLimit,
    offset: "",
  },
} as const;

/** The page's messages oldest first, with the ticket and the episodes that they span: one statement. */
function conversation(choice: keyof typeof choices): Statement<ConversationPage> {
  const { placed: isPlaced, where, order, limit, offset } = choices[choice];
  return {
    name: `conversation_${choice}`,
    text: `
      with ${choice === "jump" ? `limits as materialized (select ${jumpLimit} as size),` : ""}
      page as materialized (
        select m.id, m.sent_at from messages m where m.company_id = $1 and m.ticket_id = $2 ${where}
        order by m.sent_at ${order}, m.id ${order} limit ${limit} + 1 ${offset}),
      shown as materialized (
        select id, sent_at from page order by sent_at ${order}, id ${order} limit ${limit})
      select t.user_id as "userId", t.queue_id as "queueId", t.unread_messages as "unreadMessages",
        ${isPlaced} as "isPlaced",
        json_build_object(
          'messages', coalesce((
            select json_agg(${messageJson} order by s.sent_at, s.id) from shown s join messages m on m.id = s.id ${messageJoins}), '[]'),
          'episodes', coalesce((
            select json_agg(${episodeJson} order by ep.id) from episodes ep ${episodeJoins}
            where ep.ticket_id = t.id
              and coalesce(ep.finished_at, 'infinity') >= (select min(sent_at) from shown)
              and (${choice === "page" ? "$3::int = 0 or" : ""} ep.queued_at < (select max(sent_at) + interval '1 second' from shown))), '[]'),
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
  wish: {
    readonly pageNumber: number;
    readonly before?: number | undefined;
    readonly upTo?: number | undefined;
    readonly after?: number | undefined;
  },
): { readonly statement: Statement<ConversationPage>; readonly values: readonly unknown[] } {
  if (wish.before !== undefined && wish.upTo !== undefined) {
    return { statement: CONVERSATION.jump, values: [companyId, ticketId, wish.before, wish.upTo] };
  }
  if (wish.before !== undefined) {
    return { statement: CONVERSATION.before, values: [companyId, ticketId, wish.before] };
  }
  if (wish.after !== undefined) {
    return { statement: CONVERSATION.after, values: [companyId, ticketId, wish.after] };
  }
  return { statement: CONVERSATION.page, values: [companyId, ticketId, (wish.pageNumber - 1) * pageSize.messages] };
}

const MESSAGE_VIEWS: Statement<{ message: Message }> = {
  name: "message_views",
  text: `select ${messageJson} as message from messages m ${messageJoins}
    where m.company_id = $1 and m.id = any($2::bigint[]) order by m.id`,
};

/** Unsigned, in the order in which they were stored. */
export async function readMessageViews(ctx: Ctx, ids: readonly number[]): Promise<Message[]> {
  const rows = await ctx.raw(MESSAGE_VIEWS, [ctx.companyId, ids]);
  return rows.map(({ message }) => message);
}

const EDITS: Statement<{ body: string; at: Date }> = {
  name: "message_edit_history",
  text: `select body, at from message_edits where company_id = $1 and message_id = $2 order by id limit 200`,
};

/** Earlier texts, oldest first. */
export async function readEdits(ctx: Ctx, messageId: number): Promise<{ body: string; at: Date }[]> {
  return ctx.raw(EDITS, [ctx.companyId, messageId]);
}
