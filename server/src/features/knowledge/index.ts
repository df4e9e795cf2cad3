export { readCitations } from "./citations.ts";
export { knowledgeFor } from "./retrieval.ts";
