export { knowledgeText, readCitations, unknownMarker } from "./citations.ts";
export { hasKnowledge } from "./knowledge.queries.ts";
export { passagesFor } from "./retrieval.ts";
