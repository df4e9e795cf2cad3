import type { StoredMessage } from "#server/features/messages/index.ts";
import type { ChatTicket, Traffic } from "#server/features/tickets/index.ts";
import type { Incoming } from "./read-events.ts";

/** A message that was not there before (or got its content now), with its ticket as it was before. */
export interface News {
  readonly incoming: Incoming;
  readonly ticket: ChatTicket;
  readonly message: StoredMessage;
}

/**
 * What the news of a batch mean to each ticket, in the order of ticket ids. A contact who writes to a closed ticket
 * opens it; our own words typed on the phone do not: nobody waits for us (decision 0052).
 */
export function trafficOf(news: readonly News[]): { readonly ticket: ChatTicket; readonly record: Traffic }[] {
  const byTicket = Map.groupBy(news, ({ ticket }) => ticket.id);
  return [...byTicket.values()]
    .map((own) => {
      const { ticket } = own[0]!;
      const { incoming: last } = own.reduce((latest, each) =>
        each.incoming.sentAt >= latest.incoming.sentAt ? each : latest,
      );
      const theirs = own.filter(({ incoming, message }) => !incoming.fromMe && message.isNew);
      const opens = ticket.status === "closed" && theirs.length > 0;
      const record: Traffic = {
        ticketId: ticket.id,
        at: last.sentAt,
        body: last.body === "" ? (last.media?.fileName ?? "") : last.body,
        mediaType: last.mediaType,
        fromMe: last.fromMe,
        unread: theirs.length,
        opensAt: opens ? earliest(theirs) : null,
      };
      return { ticket, record };
    })
    .toSorted((a, b) => a.ticket.id - b.ticket.id);
}

function earliest(news: readonly News[]): Date {
  return news.reduce(
    (first, { incoming }) => (incoming.sentAt < first ? incoming.sentAt : first),
    news[0]!.incoming.sentAt,
  );
}
