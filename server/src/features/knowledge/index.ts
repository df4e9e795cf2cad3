export { readCitations } from "./citations.ts";
export { questionOf } from "./needs-source.ts";
export { knowledgeFor } from "./retrieval.ts";
export type { KnowledgeOfQuestion } from "./retrieval.ts";
