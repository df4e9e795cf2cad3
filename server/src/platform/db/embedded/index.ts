export { hasEmbedded, startEmbedded } from "./embedded.ts";
export type { EmbeddedDatabase, EmbeddedOptions } from "./embedded.ts";
