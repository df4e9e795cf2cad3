export { searchSql } from "./search-tickets.queries.ts";
