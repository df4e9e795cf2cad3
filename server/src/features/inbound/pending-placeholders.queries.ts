import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const TICKET_OF: Statement<{ ticketId: number }> = {
  name: "inbound_ticket_of_stub",
  text: `select ticket_id as "ticketId" from messages where company_id = $1 and id = $2 and is_stub`,
};

/** Where a message stands that has no words yet. */
export async function findTicketOfPlaceholder(ctx: Ctx, messageId: number): Promise<number | undefined> {
  const [stub] = await ctx.raw(TICKET_OF, [ctx.companyId, messageId]);
  return stub?.ticketId;
}

const HELD: Statement<{ sentAt: Date }> = {
  name: "inbound_held_stub",
  text: `select m.sent_at as "sentAt" from messages m
    join tickets t on t.id = m.ticket_id
    join contacts c on c.id = t.contact_id
    where m.company_id = $1 and m.id = $2 and m.is_stub and m.ticket_id = $3 and t.status = 'closed' and t.episode_id = $4
      and not c.is_blocked`,
};

/** When it was sent, if it still has no words, and its ticket still stands as it left it. Lock the ticket first. */
export async function findPendingPlaceholder(
  ctx: Ctx,
  messageId: number,
  { ticketId, episodeId }: { readonly ticketId: number; readonly episodeId: number },
): Promise<Date | undefined> {
  const [held] = await ctx.raw(HELD, [ctx.companyId, messageId, ticketId, episodeId]);
  return held?.sentAt;
}

const ASKED: Statement<{ episodeId: number; askedAt: Date }> = {
  name: "inbound_asked_episode",
  text: `select id as "episodeId", rating_asked_at as "askedAt" from episodes
    where company_id = $1 and ticket_id = $2 and rating is null and rating_asked_at <= $3 order by id desc limit 1`,
};

/** The episode of a ticket whose rating was last asked for before this time, and not given. */
export async function findEpisodeAwaitingRating(
  ctx: Ctx,
  ticketId: number,
  at: Date,
): Promise<{ readonly episodeId: number; readonly askedAt: Date } | undefined> {
  const [asked] = await ctx.raw(ASKED, [ctx.companyId, ticketId, at]);
  return asked;
}
