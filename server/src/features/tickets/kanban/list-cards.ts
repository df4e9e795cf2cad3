import type { kanban, QueryOf } from "@prosa/contract";
import type { UserActor } from "#server/platform/ctx.ts";
import type { JsonText } from "#server/platform/http/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { countByLane, countSelection, readPage, scopeOf } from "../list/index.ts";
import type { ListSelection, Reader } from "../list/index.ts";

type CardsQuery = QueryOf<typeof kanban.cards>;
type CountsQuery = QueryOf<typeof kanban.counts>;

/**
 * A page of the cards of a lane, or of all lanes: the pending and open tickets that the user may see, as the
 * response. A lane that the company does not have is empty.
 */
export function listCards(reader: Reader, media: MediaLinks, user: UserActor, query: CardsQuery): Promise<JsonText> {
  const { laneId } = query;
  const board = boardOf(user, query, query.pageNumber);
  if (laneId === undefined) {
    return readPage(reader, media, board, () => countSelection(reader, board));
  }
  const countOfLane = async () =>
    (await countCards(reader, user, query)).find((lane) => lane.laneId === laneId)?.count ?? 0;
  return readPage(reader, media, { ...board, laneId }, countOfLane);
}

/** How many cards each lane holds, up to a thousand; the open lane has the id 0. */
export function countCards(reader: Reader, user: UserActor, query: CountsQuery) {
  return countByLane(reader, boardOf(user, query, 1));
}

/**
 * The board is the team's: it also holds the conversations of colleagues in the user's queues (specification 2, section 6),
 * for which the list "open" needs a permission. Without `showAll` it holds of the open ones only the user's own.
 */
function boardOf(actor: UserActor, query: CountsQuery, pageNumber: number): ListSelection {
  const { searchParam, showAll, queueIds } = query;
  const every = scopeOf(actor, { status: "pending", showAll, queueIds });
  const ofOpen = showAll ? every : scopeOf(actor, { status: "open", showAll, queueIds });
  const views = [
    { statuses: ["pending" as const], scope: every },
    { statuses: ["open" as const], scope: ofOpen },
  ];
  return { actor, views, filter: { ...noFilter, searchParam, pageNumber } };
}

const noFilter: ListSelection["filter"] = {
  pageNumber: 1,
  searchParam: "",
  tags: [],
  users: [],
  date: "",
  updatedAt: "",
  withUnreadMessages: false,
  order: "newest",
};
