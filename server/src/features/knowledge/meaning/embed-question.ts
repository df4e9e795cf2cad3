import type { Ctx } from "#server/platform/ctx.ts";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import { questionOf } from "../needs-source.ts";
import type { Embedder, Embedders, InCompany } from "./embedder.ts";
import { embedJob } from "./embed-job.ts";
import { deleteOldSpace, findCandidates, findSpace } from "./meaning.queries.ts";
import { nothingSimilar } from "./calibration.ts";
import { signsOf, similarityTo, unitVector } from "./vectors.ts";
import type { UnitVector } from "./vectors.ts";

/** A customer waits (ms): without a vector by then the words alone decide. */
const timeoutMs = 2_500;

/** What a question means, in the space of one model. */
export interface QuestionMeaning {
  readonly spaceId: number;
  readonly leastSimilarity: number;
  readonly vector: UnitVector;
}

/**
 * The vector of what a customer said, the newest last; undefined where texts are found by their words only: nothing was said, no
 * text has a vector, or the service gives none in time. Never call it within a transaction. Throws the reason of an aborted signal only.
 */
export async function meaningOf(
  embedders: Embedders,
  embedder: Embedder | undefined,
  said: readonly string[],
  { inCompany, signal }: { readonly inCompany: InCompany; readonly signal: AbortSignal },
): Promise<QuestionMeaning | undefined> {
  const question = questionOf(said);
  if (!embedder || embedder.isResting || question === "") {
    return undefined;
  }
  const space = await inCompany((ctx) => findSpace(ctx, embedder));
  if (!space || space.leastSimilarity >= nothingSimilar) {
    return undefined;
  }
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const [components = []] = await embedder.embed([question], { inCompany, signal: inTime });
    const vector = unitVector(components);
    if (vector && vector.length !== space.dimensions) {
      await inCompany((ctx) => leaveSpace(ctx, space.id));
      throw new LanguageModelError("answer", "a vector of another length than before");
    }
    return vector && { spaceId: space.id, leastSimilarity: space.leastSimilarity, vector };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof LanguageModelError)) {
      throw error;
    }
    // That a long question is refused says nothing of the next.
    if (error.fault !== "request" || question.length <= shortQuestion) {
      await embedders.note(inCompany, embedder.promptId, error.fault);
    }
    return undefined;
  }
}

/** Letters that every model takes. */
const shortQuestion = 400;

/** Another model answers under the same name. */
async function leaveSpace(ctx: Ctx, id: number): Promise<void> {
  if (await deleteOldSpace(ctx, id)) {
    ctx.enqueue(embedJob(ctx.companyId));
  }
}

/** Signs alone find these; their components decide. Of a company's 5,000 passages the six best are among them but for one in a hundred. */
const candidates = 200;

/** A passage or a quick message, by its id. */
export type TextKey = `p${number}` | `q${number}`;

/** What a prompt may read that means what the question means, the best first. */
export async function findByMeaning(
  ctx: Ctx,
  {
    promptId,
    meaning,
    limit,
  }: { readonly promptId: number | null; readonly meaning: QuestionMeaning; readonly limit: number },
): Promise<TextKey[]> {
  const { spaceId, vector, leastSimilarity } = meaning;
  const rows = await findCandidates(ctx, { spaceId, promptId, signs: signsOf(vector), limit: candidates });
  return rows
    .map(({ passageId, quickMessageId, components }) => ({
      key: keyOf(passageId, quickMessageId),
      similarity: similarityTo(vector, components),
    }))
    .filter(({ similarity }) => similarity >= leastSimilarity)
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, limit)
    .map(({ key }) => key);
}

export function keyOf(passageId: number | null, quickMessageId: number | null): TextKey {
  return passageId === null ? `q${quickMessageId ?? 0}` : `p${passageId}`;
}
