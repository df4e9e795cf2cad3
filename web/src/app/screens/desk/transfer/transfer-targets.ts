import type { Queue } from "@prosa/contract/queues";
import type { Ticket, TransferTarget } from "@prosa/contract/tickets";
import { foldForSearch } from "#web/lib/text/foldForSearch.ts";

/** Whom a ticket may go to: a person, or a queue where it waits. */
export type Target =
  | { readonly kind: "user"; readonly user: TransferTarget }
  | { readonly kind: "queue"; readonly queue: Pick<Queue, "id" | "name" | "color"> };

/** `user:3`, `queue:7`. */
export function targetKey(target: Target): string {
  return target.kind === "user" ? `user:${target.user.id}` : `queue:${target.queue.id}`;
}

export function targetName(target: Target): string {
  return target.kind === "user" ? target.user.name : target.queue.name;
}

/**
 * The people that match the text, most likely ones first: those who are online, then those who serve the ticket's queue, then
 * those with the fewest open conversations. Its owner is left out, and of its queue its waiting state.
 */
export function matchTargets(
  ticket: Pick<Ticket, "status" | "userId" | "queueId">,
  users: readonly TransferTarget[],
  queues: readonly Pick<Queue, "id" | "name" | "color">[],
  text: string,
): { readonly people: readonly Target[]; readonly queues: readonly Target[] } {
  const isMatch = (name: string) => foldForSearch(name).includes(foldForSearch(text.trim()));
  const serves = (user: TransferTarget) => user.queues.some(({ id }) => id === ticket.queueId);
  return {
    people: users
      .filter(({ id, name }) => isMatch(name) && !(ticket.status === "open" && id === ticket.userId))
      .toSorted(
        (a, b) =>
          Number(b.online) - Number(a.online) ||
          Number(serves(b)) - Number(serves(a)) ||
          (a.openTickets ?? 0) - (b.openTickets ?? 0),
      )
      .map((user) => ({ kind: "user", user })),
    queues: queues
      .filter(({ id, name }) => isMatch(name) && !(ticket.status === "pending" && id === ticket.queueId))
      .map((queue) => ({ kind: "queue", queue })),
  };
}

/** The queue in which a person gets the ticket: its own where they serve it, else their first; null: it stays where it is. */
export function queueFor({ queues }: TransferTarget, { queueId }: Pick<Ticket, "queueId">): number | null {
  const serves = queues.some(({ id }) => id === queueId);
  return serves ? queueId : (queues[0]?.id ?? null);
}
