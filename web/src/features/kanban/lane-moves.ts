/**
 * Moves of cards that the server has not confirmed yet. They are laid over the cached lanes, not written into them: whatever
 * arrives meanwhile (a message, a colleague's move) is cached as usual, and a refusal leaves nothing to repair (decision 0146).
 */
import { kanban } from "@prosa/contract/kanban";
import { tickets, type Ticket } from "@prosa/contract/tickets";
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { call, onSignedOut } from "#web/lib/session/session.ts";
import { countMove, putCard, refetchCards } from "./kanban.cache.ts";
import type { Lane, LaneMove } from "./lanes.ts";

let moves: ReadonlyMap<number, LaneMove> = new Map();
/** The request of a card that is under way; the next move of the same card waits for it. */
const underWay = new Map<number, Promise<unknown>>();
const listeners = new Set<() => void>();

export function useLaneMoves(): ReadonlyMap<number, LaneMove> {
  return useSyncExternalStore(subscribe, () => moves);
}

/**
 * Moves a card from the lane where it is shown. Resolves to false where a later move of the same card replaced this one before
 * it was sent; rejects with the server's ApiError, and the card is back where the server has it.
 */
export async function moveCard(queryClient: QueryClient, ticket: Ticket, from: number, to: Lane): Promise<boolean> {
  const move: LaneMove = { ticket, from: moves.get(ticket.id)?.from ?? from, to };
  change((next) => next.set(ticket.id, move));
  await underWay.get(ticket.id)?.catch(() => undefined);
  if (moves.get(ticket.id) !== move) {
    return false;
  }
  const sent = send(queryClient, ticket.id, to);
  underWay.set(ticket.id, sent);
  try {
    await sent;
    const isLast = moves.get(ticket.id) === move;
    if (isLast) {
      countMove(queryClient, move.from, to.id);
    }
    return isLast;
  } finally {
    if (underWay.get(ticket.id) === sent) {
      underWay.delete(ticket.id);
    }
    change((next) => moves.get(ticket.id) === move && next.delete(ticket.id));
  }
}

/** The answer has no version, so the ticket is read: whatever the order in which its events come, the newest stays. */
async function send(queryClient: QueryClient, ticketId: number, to: Lane): Promise<void> {
  if (to.tag === undefined) {
    await call(kanban.moveToOpenLane, { params: { ticketId } });
  } else {
    await call(kanban.moveToLane, { params: { ticketId, tagId: to.tag.id } });
  }
  try {
    putCard(queryClient, await call(tickets.get, { params: { id: ticketId } }));
  } catch {
    // It is moved all the same.
    refetchCards(queryClient);
  }
}

function change(apply: (next: Map<number, LaneMove>) => unknown): void {
  const next = new Map(moves);
  apply(next);
  moves = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

onSignedOut(() => change((next) => next.clear()));
