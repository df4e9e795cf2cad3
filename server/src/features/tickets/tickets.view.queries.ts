import type { Ticket, Episode } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A time as the contract writes it: ISO 8601 in UTC, milliseconds. */
export function isoText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * A contact as lists and bubbles show it; `alias` is a row of contacts. The picture's address is a marker that
 * `signLinks` turns into a signed one.
 */
export function contactSummaryJson(alias: string): string {
  return `json_build_object(
    'id', ${alias}.id, 'name', ${alias}.name, 'number', coalesce(${alias}.number, ''), 'email', ${alias}.email,
    'isGroup', ${alias}.is_group,
    'profilePicUrl', case when ${alias}.picture_path is not null then 'media:image/jpeg||' || ${alias}.picture_path end)`;
}

/** A queue as a badge shows it. */
const queueJson = (alias: string) =>
  `case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'color', ${alias}.color) end`;

const namedJson = (alias: string) =>
  `case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name) end`;

/** The view of the contract, written by the database: forty of them cost the server nothing but the passing on. */
export const ticketJson = `json_build_object(
    'id', t.id, 'uuid', t.uuid, 'status', t.status,
    'userId', t.user_id, 'user', ${namedJson("u")},
    'queueId', t.queue_id, 'queue', ${queueJson("q")},
    'contactId', t.contact_id, 'contact', ${contactSummaryJson("c")},
    'whatsappId', t.connection_id, 'whatsapp', ${namedJson("w")},
    'tags', coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color, 'kanban', g.kanban) order by g.name)
      from ticket_tags tg join tags g on g.id = tg.tag_id where tg.ticket_id = t.id), '[]'),
    'products', coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'type', p.type) order by p.name)
      from ticket_products tp join products p on p.id = tp.product_id where tp.ticket_id = t.id), '[]'),
    'chatbot', t.chatbot, 'isGroup', t.is_group,
    'lastMessage', t.last_message, 'lastMessageType', t.last_message_type, 'lastMessageFromMe', t.last_message_from_me,
    'lastMessageAt', ${isoText("t.last_message_at")}, 'unreadMessages', t.unread_messages,
    'useIntegration', t.use_integration, 'integrationId', t.integration_id, 'promptId', t.prompt_id,
    'protocol', coalesce(ep.protocol, ''),
    'createdAt', ${isoText("t.created_at")}, 'updatedAt', ${isoText("t.updated_at")}, 'version', t.version)`;

/** What `ticketJson` joins, after a `tickets t`. */
export const ticketJoins = `
    join contacts c on c.id = t.contact_id
    left join users u on u.id = t.user_id
    left join queues q on q.id = t.queue_id
    left join connections w on w.id = t.connection_id
    left join episodes ep on ep.id = t.episode_id`;

export const episodeJson = `json_build_object(
    'id', ep.id, 'ticketId', ep.ticket_id, 'protocol', ep.protocol,
    'queuedAt', ${isoText("ep.queued_at")}, 'startedAt', ${isoText("ep.started_at")}, 'finishedAt', ${isoText("ep.finished_at")},
    'user', ${namedJson("u")}, 'queue', ${queueJson("q")}, 'rating', ep.rating)`;

export const episodeJoins = `
    left join users u on u.id = ep.user_id
    left join queues q on q.id = ep.queue_id`;

const TICKET_VIEW: Statement<{ ticket: Ticket }> = {
  name: "ticket_view",
  text: `select ${ticketJson} as ticket from tickets t ${ticketJoins} where t.company_id = $1 and t.id = $2`,
};

const TICKET_VIEWS: Statement<{ ticket: Ticket }> = {
  name: "ticket_views",
  text: `select ${ticketJson} as ticket from tickets t ${ticketJoins} where t.company_id = $1 and t.id = any($2::int[])`,
};

const TICKET_VIEW_BY_UUID: Statement<{ ticket: Ticket }> = {
  name: "ticket_view_by_uuid",
  text: `select ${ticketJson} as ticket from tickets t ${ticketJoins} where t.company_id = $1 and t.uuid = $2`,
};

const EPISODE_VIEWS: Statement<{ episode: Episode }> = {
  name: "episode_views",
  text: `select ${episodeJson} as episode from episodes ep ${episodeJoins}
    where ep.company_id = $1 and ep.ticket_id = $2 order by ep.id desc limit 200`,
};

/** Unsigned: see `signTicket`. */
export async function readTicketView(ctx: Ctx, id: number): Promise<Ticket | undefined> {
  const [row] = await ctx.raw(TICKET_VIEW, [ctx.companyId, id]);
  return row?.ticket;
}

/** Unsigned, in no order. */
export async function readTicketViews(ctx: Ctx, ids: readonly number[]): Promise<Ticket[]> {
  const rows = await ctx.raw(TICKET_VIEWS, [ctx.companyId, ids]);
  return rows.map((row) => row.ticket);
}

/** Unsigned. */
export async function readTicketViewByUuid(ctx: Ctx, uuid: string): Promise<Ticket | undefined> {
  const [row] = await ctx.raw(TICKET_VIEW_BY_UUID, [ctx.companyId, uuid]);
  return row?.ticket;
}

/** Newest first. */
export async function readEpisodes(ctx: Ctx, ticketId: number): Promise<Episode[]> {
  const rows = await ctx.raw(EPISODE_VIEWS, [ctx.companyId, ticketId]);
  return rows.map((row) => row.episode);
}
