export { hasKnowledge } from "./knowledge.queries.ts";
export { passagesFor } from "./retrieval.ts";
