import { sendingConstants } from "@prosa/contract";

const dayMs = 86_400_000;

/** Who wrote on the ticket after this time is replied to; a message to anybody else starts a conversation. */
export function repliesSince(now: Date): Date {
  return new Date(now.getTime() - sendingConstants.repliesUntilDays * dayMs);
}

/** A conversation that we wrote in after this time is not started a second time: it counts once. */
export function startedSince(now: Date): Date {
  return new Date(now.getTime() - dayMs);
}

/** SQL: when the contact of ticket `ticketId` wrote there last, if after `since`; else null. */
export const lastInboundSql = (ticketId: string, since: string) =>
  `(select i.sent_at from messages i where i.ticket_id = ${ticketId} and not i.from_me and i.sent_at > ${since}
    order by i.sent_at desc, i.id desc limit 1)`;

/**
 * SQL: whether a message of ours in ticket `ticketId` is newer than `since` and on its way, or with `isSent` sent. One that was
 * deleted before it was sent is on no way.
 */
export const wroteSql = (ticketId: string, since: string, isSent: boolean) =>
  `exists (select from messages o where o.ticket_id = ${ticketId} and o.from_me and o.sent_at > ${since}
    and (o.ack > 0${isSent ? "" : " or (o.ack = 0 and not o.is_deleted)"}))`;

/** SQL: whether message `m` is one of many, or was written to be sent later: a campaign's or a schedule's, by its origin. */
export const bulkSql = (m: string) =>
  `(coalesce(${m}.data ? 'campaign', false) or ${m}.client_id like 'campaign-%' or ${m}.client_id like 'schedule-%')`;
