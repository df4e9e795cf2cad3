export { LanguageModelError } from "./language-model-error.ts";
export { createLanguageModel } from "./language-model.ts";
export type {
  ChatAnswer,
  ChatRequest,
  ChatText,
  EmbeddingRequest,
  LanguageModel,
  LanguageModelService,
  Picture,
  TokenUsage,
  TranscriptionRequest,
} from "./language-model.ts";
