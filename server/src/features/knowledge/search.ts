import type { SearchedPassage } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { hasPrompt } from "./knowledge.queries.ts";
import { meaningOf } from "./meaning/index.ts";
import type { Embedders } from "./meaning/index.ts";
import { passagesFor } from "./retrieval.ts";

/** Somebody waits at the screen (ms). */
const timeoutMs = 5_000;

/**
 * What a prompt would be given for a question at the screen, or anybody without one. The question's vector is made by the service of
 * that prompt, else of the first that has one. ERR_NOT_FOUND for a prompt that the company does not have.
 */
export async function searchKnowledge(
  { inCompany, read }: RequestScope,
  embedders: Embedders,
  { question, promptId }: { readonly question: string; readonly promptId: number | null },
): Promise<SearchedPassage[]> {
  const embedder = await inCompany(async (ctx) => {
    if (promptId !== null && !(await hasPrompt(ctx, promptId))) {
      throw new AppError("ERR_NOT_FOUND", { promptId });
    }
    const [first] = promptId === null ? await embedders.list(ctx) : [promptId];
    return first === undefined ? undefined : embedders.open(ctx, first);
  });
  const meaning = await meaningOf(embedders, embedder, [question], {
    inCompany,
    signal: AbortSignal.timeout(timeoutMs),
  });
  return read((ctx) => passagesFor(ctx, { question, promptId, meaning }));
}
