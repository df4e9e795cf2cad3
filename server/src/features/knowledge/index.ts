export { readCitations } from "./citations.ts";
export { knowledgeFor } from "./retrieval.ts";
export type { KnowledgeOfQuestion } from "./retrieval.ts";
