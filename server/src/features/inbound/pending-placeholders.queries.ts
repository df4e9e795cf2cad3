import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const TICKET_OF: Statement<{ ticketId: number }> = {
  name: "inbound_ticket_of_placeholder",
  text: `select ticket_id as "ticketId" from messages where company_id = $1 and id = $2 and is_stub`,
};

/** The ticket of a placeholder; undefined once it has its content. */
export async function findTicketOfPlaceholder(ctx: Ctx, messageId: number): Promise<number | undefined> {
  const [placeholder] = await ctx.raw(TICKET_OF, [ctx.companyId, messageId]);
  return placeholder?.ticketId;
}

/** A placeholder whose content has not arrived, and when its ticket's last episode ended. */
interface PendingPlaceholder {
  readonly sentAt: Date;
  readonly finishedAt: Date | null;
}

const PENDING_PLACEHOLDER: Statement<PendingPlaceholder> = {
  name: "inbound_pending_placeholder",
  text: `select m.sent_at as "sentAt", e.finished_at as "finishedAt" from messages m
    join tickets t on t.id = m.ticket_id
    join episodes e on e.id = t.episode_id
    join contacts c on c.id = t.contact_id
    where m.company_id = $1 and m.id = $2 and m.is_stub and m.ticket_id = $3 and t.status = 'closed' and t.episode_id = $4
      and not c.is_blocked`,
};

/** The placeholder, if it still has no content and its ticket is closed in the same episode. Lock the ticket first. */
export async function findPendingPlaceholder(
  ctx: Ctx,
  messageId: number,
  { ticketId, episodeId }: { readonly ticketId: number; readonly episodeId: number },
): Promise<PendingPlaceholder | undefined> {
  const [placeholder] = await ctx.raw(PENDING_PLACEHOLDER, [ctx.companyId, messageId, ticketId, episodeId]);
  return placeholder;
}

const EPISODE_AWAITING_RATING: Statement<{ episodeId: number; askedAt: Date }> = {
  name: "inbound_episode_awaiting_rating",
  text: `select id as "episodeId", rating_asked_at as "askedAt" from episodes
    where company_id = $1 and ticket_id = $2 and rating is null and rating_asked_at <= $3 order by id desc limit 1`,
};

/** The latest episode of a ticket whose rating was requested before this time, and not given. */
export async function findEpisodeAwaitingRating(
  ctx: Ctx,
  ticketId: number,
  at: Date,
): Promise<{ readonly episodeId: number; readonly askedAt: Date } | undefined> {
  const [episode] = await ctx.raw(EPISODE_AWAITING_RATING, [ctx.companyId, ticketId, at]);
  return episode;
}
