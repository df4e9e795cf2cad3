export { rarityOf } from "./rarity.ts";
export type { Rarity } from "./rarity.ts";
export { searchSql } from "./search-tickets.queries.ts";
export { withSnippets } from "./snippets.ts";
