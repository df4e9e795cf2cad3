export { scopeOf } from "./list-scope.ts";
export { countByLane, countSelection, countTickets, listTickets, readPage } from "./list-tickets.ts";
export type { Reader } from "./list-tickets.ts";
export type { ListSelection } from "./ticket-source.queries.ts";
export { readCachedView } from "./ticket-view-cache.ts";
