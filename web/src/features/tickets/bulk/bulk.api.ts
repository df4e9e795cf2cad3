/** Bulk actions on tickets and their undo. Loaded lazily with the bulk bar. */
import { ticketBulks, type BulkAct, type BulkOutcome } from "@prosa/contract/ticket-bulks";
import type { Ticket } from "@prosa/contract/tickets";
import type { QueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";
import { putTicket } from "../tickets.cache.ts";

export interface BulkResult {
  readonly bulkId?: string | null;
  readonly outcomes: readonly BulkOutcome[];
  /** The tickets that changed. */
  readonly tickets: readonly Ticket[];
}

/** Runs a bulk action and puts the changed tickets into the cache, without waiting for their events. */
export async function actOnTickets(
  queryClient: QueryClient,
  ticketIds: readonly number[],
  act: BulkAct,
): Promise<BulkResult> {
  return putChanged(queryClient, await call(ticketBulks.act, { body: { ticketIds: [...ticketIds], act } }));
}

/** Undoes a bulk action for the tickets that nobody changed since. */
export async function undoBulk(queryClient: QueryClient, bulkId: string): Promise<BulkResult> {
  return putChanged(queryClient, await call(ticketBulks.undo, { params: { bulkId } }));
}

function putChanged<R extends BulkResult>(queryClient: QueryClient, result: R): R {
  result.tickets.forEach((ticket) => putTicket(queryClient, ticket));
  return result;
}

/** The count of refused tickets and the most frequent error code; undefined when none was refused. */
export function mostFrequentRefusal(
  outcomes: readonly BulkOutcome[],
): { readonly count: number; readonly code: string } | undefined {
  const codes = outcomes.flatMap((one) => (one.outcome === "refused" ? [one.code] : []));
  const times = (code: string) => codes.filter((each) => each === code).length;
  const [most] = [...new Set(codes)].toSorted((a, b) => times(b) - times(a));
  return most === undefined ? undefined : { count: codes.length, code: most };
}
