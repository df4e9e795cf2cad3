export { knowledgeRealtime, knowledgeResource } from "./knowledge.api.ts";
export { knowledgeMessages } from "./knowledge.i18n.ts";
export { KnowledgeDialog } from "./KnowledgeDialog.tsx";
export { TryKnowledge } from "./TryKnowledge.tsx";
