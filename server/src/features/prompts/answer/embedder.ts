import type { LanguageModelFault } from "@prosa/contract";
import { languageModelFaults } from "@prosa/contract";
import type { CreateEmbedders, Embedder, Embedders } from "#server/features/knowledge/index.ts";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import { promptEvent } from "../prompts.service.ts";
import { findEmbeddingPrompts, saveEmbeddingFault } from "../prompts.queries.ts";
import type { PromptRow } from "../prompts.queries.ts";
import { countUse, openPrompt, tokensOf } from "./ask-prompt.ts";
import type { AskedPrompt } from "./ask-prompt.ts";

/** A service that failed for now is not waited for again for so long (ms), and one that has no embeddings not asked. */
const restMs = { passing: 60_000, lasting: 3_600_000 } as const;

/** Vectors by the services of AI prompts, with their keys and on their accounts (O-08). */
export const promptEmbedders: CreateEmbedders = (services): Embedders => ({
  list: findEmbeddingPrompts,
  async open(ctx, promptId) {
    const prompt = await openPrompt(ctx, services, promptId);
    return prompt && "row" in prompt ? embedderOf(prompt, ctx.now()) : undefined;
  },
  async note(inCompany, promptId, fault) {
    await inCompany(async (ctx) => {
      if (await saveEmbeddingFault(ctx, promptId, fault)) {
        ctx.emit(promptEvent("updated", promptId));
      }
    });
  },
});

/** The embedder of a prompt; undefined where it has none, or has failed for a reason that lasts within the last hour. */
export function embedderOf({ row, model }: AskedPrompt, now: Date): Embedder | undefined {
  const rest = restOf(row, now);
  if (row.embeddingModel === "" || rest === "lasting") {
    return undefined;
  }
  return {
    promptId: row.id,
    baseUrl: row.baseUrl,
    model: row.embeddingModel,
    isResting: rest === "passing",
    async embed(texts, { inCompany, signal }) {
      const { vectors, usage } = await model.embed({ model: row.embeddingModel, texts, signal });
      const letters = texts.reduce((sum, text) => sum + text.length, 0);
      const inputTokens = usage.inputTokens || tokensOf(letters);
      await countUse(inCompany, row.id, { inputTokens, outputTokens: 0 });
      return vectors;
    },
  };
}

function restOf({ embeddingFaultKind: kind, embeddingFaultAt: at }: PromptRow, now: Date): keyof typeof restMs | null {
  if (kind === null || at === null) {
    return null;
  }
  const fault: LanguageModelFault = languageModelFaults.find((each) => each === kind) ?? "service";
  const rest = new LanguageModelError(fault, "").canRetry ? "passing" : "lasting";
  return now.getTime() - at.getTime() < restMs[rest] ? rest : null;
}
