/** What is done to many tickets at once, and how it is taken back. Beside the bar: nobody else fetches it. */
import { ticketBulks, type BulkAct, type BulkOutcome } from "@prosa/contract/ticket-bulks";
import type { Ticket } from "@prosa/contract/tickets";
import type { QueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";
import { putTicket } from "./tickets.cache.ts";

export interface BulkAnswer {
  readonly bulkId?: string | null;
  readonly outcomes: readonly BulkOutcome[];
  /** Those that changed. */
  readonly tickets: readonly Ticket[];
}

/** Does it, and shows what changed without waiting for the events. */
export async function actOnTickets(
  queryClient: QueryClient,
  ticketIds: readonly number[],
  act: BulkAct,
): Promise<BulkAnswer> {
  return shown(queryClient, await call(ticketBulks.act, { body: { ticketIds: [...ticketIds], act } }));
}

/** Takes it back where nobody touched the ticket since. */
export async function undoBulk(queryClient: QueryClient, bulkId: string): Promise<BulkAnswer> {
  return shown(queryClient, await call(ticketBulks.undo, { params: { bulkId } }));
}

function shown<A extends BulkAnswer>(queryClient: QueryClient, answer: A): A {
  answer.tickets.forEach((ticket) => putTicket(queryClient, ticket));
  return answer;
}

/** Why some were refused: the code that most of them have. */
export function refusalOf(
  outcomes: readonly BulkOutcome[],
): { readonly count: number; readonly code: string } | undefined {
  const codes = outcomes.flatMap((one) => (one.outcome === "refused" ? [one.code] : []));
  const [most] = [...Map.groupBy(codes, (code) => code)].toSorted(([, a], [, b]) => b.length - a.length);
  return most && { count: codes.length, code: most[0] };
}
