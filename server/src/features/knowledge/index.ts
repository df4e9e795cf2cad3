export { readCitations } from "./citations.ts";
export { embedQuickMessages } from "./knowledge.service.ts";
export { embedJob, meaningOf } from "./meaning/index.ts";
export type { CreateEmbedders, Embedder, Embedders, QuestionMeaning } from "./meaning/index.ts";
export { knowledgeFor } from "./retrieval.ts";
export type { KnowledgeOfQuestion } from "./retrieval.ts";
