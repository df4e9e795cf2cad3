import type { RequestScope } from "#server/platform/http/index.ts";
import { meaningOf } from "./meaning/index.ts";
import type { Embedders, QuestionMeaning } from "./meaning/index.ts";

/** Somebody waits at the screen (ms). */
const timeoutMs = 5_000;

/** The vector of a question at the screen, by the service of the prompt that is asked for, else of the first that has one. */
export async function meaningOfSearch(
  { inCompany }: RequestScope,
  embedders: Embedders,
  { question, promptId }: { readonly question: string; readonly promptId: number | null },
): Promise<QuestionMeaning | undefined> {
  const embedder = await inCompany(async (ctx) => {
    const [first] = promptId === null ? await embedders.list(ctx) : [promptId];
    return first === undefined ? undefined : embedders.open(ctx, first);
  });
  return meaningOf(embedders, embedder, [question], { inCompany, signal: AbortSignal.timeout(timeoutMs) });
}
