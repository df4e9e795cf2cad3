/** Which lane holds a ticket? Pure rules of the board (O-02). */
import { openLaneId } from "@prosa/contract/kanban";
import type { Tag } from "@prosa/contract/tags";
import type { Ticket } from "@prosa/contract/tickets";
import { belongsTo, compareTickets, type TicketList, type viewerOf } from "#web/features/tickets/index.ts";

/** What the user looks for on the board. */
export interface BoardFilter {
  readonly searchParam: string;
  /** Empty: every queue that the user may see. 0 stands for "no queue". */
  readonly queueIds: readonly number[];
  readonly showAll: boolean;
}

/** The cards of one lane; null: of every lane, for the list view. */
export interface CardList extends TicketList {
  readonly laneId: number | null;
}

/** A lane of the board; without a tag it is the open lane. */
export interface Lane {
  readonly id: number;
  readonly tag: Tag | undefined;
}

/** The open lane, then one for each tag of the kanban, in their order. */
export function lanesOf(tags: readonly Tag[]): readonly Lane[] {
  return [{ id: openLaneId, tag: undefined }, ...tags.map((tag) => ({ id: tag.id, tag }))];
}

export function cardListOf(filter: BoardFilter, laneId: number | null): CardList {
  return { status: "", tags: [], users: [], withUnreadMessages: false, ...filter, laneId };
}

/** The lanes of a ticket: several where somebody gave it several tags. */
export function laneIdsOf({ tags }: Pick<Ticket, "tags">): readonly number[] {
  const ids = tags.filter(isLaneTag).map(({ id }) => id);
  return ids.length === 0 ? [openLaneId] : ids;
}

/** The ticket after a move: the lane's tag replaces those of other lanes, and ordinary tags stay. */
export function movedTo(lane: Lane, ticket: Ticket): Ticket {
  const others = ticket.tags.filter((tag) => !isLaneTag(tag));
  return { ...ticket, tags: lane.tag === undefined ? others : [...others, lane.tag] };
}

/** Does the list hold the card? The same rule as the server's query; `isFound`: its search has found the ticket. */
export function holdsCard(
  list: CardList,
  viewer: ReturnType<typeof viewerOf>,
  ticket: Ticket,
  isFound: boolean,
): boolean {
  return (
    ticket.status !== "closed" &&
    (list.searchParam === "" || isFound) &&
    (list.laneId === null || laneIdsOf(ticket).includes(list.laneId)) &&
    // The board shows colleagues' conversations to everybody who may see them.
    belongsTo({ ...list, searchParam: "", status: ticket.status }, { ...viewer, holdsShowAll: true }, ticket)
  );
}

/** A move that the server has not confirmed yet. */
export interface LaneMove {
  readonly ticket: Ticket;
  readonly from: number;
  readonly to: Lane;
}

/** The cards of a list with unconfirmed moves applied. The cached list stays as the server has it. */
export function withMoves(
  cards: readonly Ticket[],
  moves: ReadonlyMap<number, LaneMove>,
  laneId: number | null,
): readonly Ticket[] {
  if (moves.size === 0) {
    return cards;
  }
  if (laneId === null) {
    return cards.map((card) => moved(card, moves.get(card.id)));
  }
  const staying = cards.filter(({ id }) => (moves.get(id)?.to.id ?? laneId) === laneId);
  const known = new Set(staying.map(({ id }) => id));
  const arriving = [...moves.values()]
    .filter(({ ticket, to }) => to.id === laneId && !known.has(ticket.id))
    .map((move) => moved(move.ticket, move));
  return arriving.length === 0 ? staying : [...staying, ...arriving].sort(compareTickets);
}

/** How many cards a lane shows with unconfirmed moves applied. */
export function countWithMoves(count: number, moves: ReadonlyMap<number, LaneMove>, laneId: number): number {
  const changes = [...moves.values()].map(({ from, to }) => Number(to.id === laneId) - Number(from === laneId));
  return Math.max(
    0,
    changes.reduce((sum, change) => sum + change, count),
  );
}

/** The tags in the order that they have after one was dropped on the place of another. */
export function reordered(tags: readonly Tag[], draggedId: number, placeId: number): readonly Tag[] {
  const dragged = tags.find(({ id }) => id === draggedId);
  if (!dragged || draggedId === placeId) {
    return tags;
  }
  // the open lane stays the first: a drop on it means the first place behind it
  const to = tags.findIndex(({ id }) => id === placeId);
  return tags.filter((tag) => tag !== dragged).toSpliced(Math.max(0, to), 0, dragged);
}

function moved(card: Ticket, move: LaneMove | undefined): Ticket {
  return move ? movedTo(move.to, card) : card;
}

function isLaneTag({ kanban }: Tag): boolean {
  return kanban === 1;
}
