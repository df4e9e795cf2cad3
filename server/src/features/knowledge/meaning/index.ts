export type { CreateEmbedders, Embedder, Embedders } from "./embedder.ts";
export { findByMeaning, keyOf, meaningOf } from "./embed-question.ts";
export type { QuestionMeaning, TextKey } from "./embed-question.ts";
export { EMBED_TASK, embedJob } from "./embed-job.ts";
export { embedCron, embedTexts } from "./embed-texts.jobs.ts";
export { fuseRanks } from "./fuse-ranks.ts";
