import type { Ticket, Episode } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { keepView } from "./tickets.view-cache.ts";
import { fillNames } from "./tickets.view-names.ts";

/** SQL of a time in the contract's format: ISO 8601 in UTC with milliseconds. */
export function isoText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** `row_to_json` uses the column names as keys and costs half as much as `json_build_object`. */
export const objectJson = (columns: string) => `(select row_to_json(v) from (select ${columns}) v)`;

const pictureMarker = (alias: string) =>
  `case when ${alias}.picture_path is not null then 'media:image/jpeg||' || ${alias}.picture_path end`;

const contactColumns = (
  alias: string,
) => `${alias}.id, ${alias}.name, coalesce(${alias}.number, '') as number, ${alias}.email,
    ${alias}.is_group as "isGroup", ${pictureMarker(alias)} as "urlPicture", ${pictureMarker(alias)} as "profilePicUrl"`;

/**
 * SQL of the contact in lists and bubbles; `alias` is a row of contacts. The URL of the picture is a marker that
 * `signMediaUrls` replaces.
 */
export function contactSummaryJson(alias: string): string {
  return objectJson(contactColumns(alias));
}

/**
 * SQL of `MessageAuthor`; `alias` is a row of messages that are the company's. Its user is an id until `fillNames` replaces it.
 * Only what this product sends has a client id, so a message without one was written on the phone. A message keeps no more
 * of a deleted account than that.
 */
export const authorJson = (alias: string) =>
  `case when ${alias}.data ? 'campaign' then '{"kind":"campaign"}'::json
    when ${alias}.is_automatic then '{"kind":"bot"}'::json when ${alias}.client_id is null then '{"kind":"phone"}'
    else ${objectJson(`'user' as kind, ${alias}.user_id as "user"`)} end`;

/**
 * SQL of the last message, where it is ours: who wrote it, and whether it was not delivered. One probe of an index reads both.
 * The messages of one second sort by their row (`compareMessages`).
 */
const lastOwnMessage = `
    select ${authorJson("m")} as author, m.ack = -1 and not m.is_deleted as "isFailed" from messages m
    where t.last_message_from_me and m.company_id = t.company_id and m.ticket_id = t.id and m.sent_at = t.last_message_at
      and m.from_me
    order by m.id desc limit 1`;

/**
 * SQL of the contract's view of a ticket as JSON: the database writes it, so that a page of forty costs the server little.
 * Users, queues, connections, tags and products are ids in it until `fillNames` replaces them.
 */
const ticketJson = ticketJsonWith(contactSummaryJson("c"));

/** The same of one ticket that is read by itself: its contact with `extraInfo`. */
const ticketDetailsJson = ticketJsonWith(objectJson(`${contactColumns("c")}, c.extra_info as "extraInfo"`));

function ticketJsonWith(contactJson: string): string {
  return objectJson(`t.id, t.uuid, t.status,
    t.user_id as "userId", t.user_id as "user",
    t.queue_id as "queueId", t.queue_id as "queue",
    t.contact_id as "contactId", ${contactJson} as contact,
    t.connection_id as "whatsappId", t.connection_id as "whatsapp",
    array(select tt.tag_id from ticket_tags tt where tt.ticket_id = t.id) as tags,
    array(select tp.product_id from ticket_products tp where tp.ticket_id = t.id) as products,
    t.chatbot, t.is_group as "isGroup",
    t.last_message as "lastMessage", t.last_message_type as "lastMessageType", t.last_message_from_me as "lastMessageFromMe",
    own.author as "lastMessageAuthor", coalesce(own."isFailed", false) as "lastMessageFailed",
    ${isoText("t.last_message_at")} as "lastMessageAt",
    ${isoText("t.waiting_since")} as "waitingSince", t.unread_messages as "unreadMessages",
    t.use_integration as "useIntegration", t.integration_id as "integrationId", t.prompt_id as "promptId",
    coalesce(ep.protocol, '') as protocol,
    ${isoText("t.created_at")} as "createdAt", ${isoText("t.updated_at")} as "updatedAt", t.version`);
}

/** The joins of `ticketJson`, after the ticket `t` and its contact `c`. */
const joinsOfContact = `
    left join episodes ep on ep.id = t.episode_id
    left join lateral (${lastOwnMessage}) own on true`;

/** The joins of `ticketJson`, after `tickets t`. */
const ticketJoins = `
    join contacts c on c.id = t.contact_id ${joinsOfContact}`;

/** `ticketJson` of the row `t` that a statement writes, for its RETURNING. */
export const savedTicketJson = `(select ${ticketJson} from (select t.*) t ${ticketJoins})`;

/** The same in a statement that reads the ticket `t` and its contact `c`. */
export const openedTicketJson = `(select ${ticketJson} from (select) one ${joinsOfContact})`;

/**
 * SQL of a view's version: id of the ticket, and the transactions that last wrote the ticket and its contact. The rest of a
 * view changes only together with the ticket's row (a change of labels raises its version, and so does a failure of the last
 * message; the protocol of an episode never changes) or with the names.
 */
export const ticketVersion = "concat_ws(':', t.id, t.xmin, c.xmin)";

/** Columns of `Episode`, of a row `ep`; the user and the queue are ids until `fillNames` replaces them. */
export const episodeColumns = `ep.id, ep.ticket_id as "ticketId", ep.protocol,
    ${isoText("ep.queued_at")} as "queuedAt", ${isoText("ep.started_at")} as "startedAt", ${isoText("ep.finished_at")} as "finishedAt",
    ep.user_id as "user", ep.queue_id as "queue", ep.rating`;

interface ViewRow {
  /** JSON text of `ticketJson`. */
  readonly view: string;
}

const TICKET_VIEWS: Statement<ViewRow & { readonly id: number; readonly version: string }> = {
  name: "ticket_views",
  text: `select t.id, ${ticketVersion} as version, ${ticketJson}::text as view from tickets t ${ticketJoins} where t.company_id = $1 and t.id = any($2::int[])`,
};

const TICKET_DETAILS: Statement<ViewRow> = {
  name: "ticket_details",
  text: `select ${ticketDetailsJson}::text as view from tickets t ${ticketJoins} where t.company_id = $1 and t.id = $2`,
};

const TICKET_DETAILS_BY_UUID: Statement<ViewRow> = {
  name: "ticket_details_by_uuid",
  text: `select ${ticketDetailsJson}::text as view from tickets t ${ticketJoins} where t.company_id = $1 and t.uuid = $2`,
};

const EPISODE_VIEWS: Statement<ViewRow> = {
  name: "episode_views",
  text: `select ${objectJson(episodeColumns)}::text as view from episodes ep
    where ep.company_id = $1 and ep.ticket_id = $2 order by ep.id desc limit 200`,
};

/** Views in no order, with media URLs not signed yet. */
export async function readTicketViews(ctx: Ctx, ids: readonly number[]): Promise<Ticket[]> {
  return viewsOf<Ticket>(ctx, await ctx.raw(TICKET_VIEWS, [ctx.companyId, ids]));
}

/** As `readTicketViews`, in a transaction that only reads: the views are kept for lists and conversations, which will want them next. */
export async function readViewsToPublish(ctx: Ctx, ids: readonly number[]): Promise<Ticket[]> {
  const rows = await ctx.raw(TICKET_VIEWS, [ctx.companyId, ids]);
  const { json, names } = await fillNames(ctx, rows.map(({ view }) => view).join("\n"));
  const views = rows.length === 0 ? [] : json.split("\n"); // inside JSON text a line break is escaped
  rows.forEach(({ version }, at) => keepView(version, names, views[at]!));
  return JSON.parse(`[${views.join()}]`) as Ticket[];
}

/** JSON texts of views in no order, before `fillNames`, with media URLs not signed yet. */
export function readViewTexts(
  { readOne }: Pick<RequestScope, "readOne">,
  companyId: number,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly view: string }[]> {
  return readOne(TICKET_VIEWS, [companyId, ids]);
}

/** One view, with the contact's `extraInfo`. */
export async function readTicketDetails(ctx: Ctx, id: number): Promise<Ticket | undefined> {
  const [view] = await viewsOf<Ticket>(ctx, await ctx.raw(TICKET_DETAILS, [ctx.companyId, id]));
  return view;
}

/** As `readTicketDetails`, by the ticket's UUID. */
export async function readTicketDetailsByUuid(ctx: Ctx, uuid: string): Promise<Ticket | undefined> {
  const [view] = await viewsOf<Ticket>(ctx, await ctx.raw(TICKET_DETAILS_BY_UUID, [ctx.companyId, uuid]));
  return view;
}

/** The view after a change as JSON text, with media URLs not signed yet; undefined where the ticket is gone. */
export async function readSavedView(
  ctx: Ctx,
  { ticket, view }: { readonly ticket: { readonly id: number }; readonly view: string | null },
): Promise<string | undefined> {
  const text = view ?? (await ctx.raw(TICKET_VIEWS, [ctx.companyId, [ticket.id]]))[0]?.view;
  return text === undefined ? undefined : (await fillNames(ctx, text)).json;
}

async function viewsOf<View>(ctx: Ctx, rows: readonly ViewRow[]): Promise<View[]> {
  const { json } = await fillNames(ctx, `[${rows.map(({ view }) => view).join()}]`);
  return JSON.parse(json) as View[];
}

/** Episodes of a ticket, newest first. */
export async function readEpisodes(ctx: Ctx, ticketId: number): Promise<Episode[]> {
  return viewsOf<Episode>(ctx, await ctx.raw(EPISODE_VIEWS, [ctx.companyId, ticketId]));
}
