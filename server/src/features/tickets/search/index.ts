export { searchOf } from "./search-tickets.queries.ts";
