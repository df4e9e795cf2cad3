import { isCompanyActive } from "#server/features/companies/index.ts";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import type { NewJob } from "#server/platform/ctx.ts";
import type { Cron, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { leastSimilarityOf, nothingSimilar, probeTexts } from "./calibration.ts";
import type { CreateEmbedders, Embedder, Embedders } from "./embedder.ts";
import {
  COMPANIES_WITH_MEANING,
  deleteSpace,
  deleteUnusedVectors,
  findSpace,
  findUnembedded,
  insertSpace,
  insertVectors,
} from "./meaning.queries.ts";
import type { Space } from "./meaning.queries.ts";
import { bytesOf, signsOf, unitVector } from "./vectors.ts";
import type { UnitVector } from "./vectors.ts";

export const EMBED_TASK = "knowledge.embed";

/** Texts of one call: small servers take no more at once (Hugging Face's takes 32). */
const textsAtOnce = 32;
/** Letters of a text: small models read 512 tokens. A quick message may be longer. */
const maxLetters = 2_000;
/** A call may take this long (ms): nobody waits. */
const timeoutMs = 45_000;
/** Services and models of a company whose vectors are kept: each is as many rows as there are passages. */
const maxSpaces = 3;

/** The job that gives a company's texts the vectors that they lack, and takes away what nobody needs. */
export function embedJob(companyId: number): NewJob {
  const lane = `knowledge-embed:${companyId}`;
  return { task: EMBED_TASK, payload: {}, lane, key: lane, priority: "bulk", maxAttempts: 8 };
}

/** Quick messages change without a word to this feature, services come back, archives are moved in. */
export const embedCron: Cron = {
  name: "knowledge.embed-all",
  at: { minute: 35 },
  run: async ({ db }) => {
    await db.systemTx(async (tx) => {
      for (const { companyId } of await tx.raw(COMPANIES_WITH_MEANING, [])) {
        tx.enqueue(companyId, embedJob(companyId));
      }
    });
  },
};

/**
 * Embeds what each prompt may read, a batch after the other, each stored at once: a kill loses one batch at most, and none is
 * embedded twice. A service that has no embeddings is left, and remembered; one that fails for now fails the job, which is tried
 * again.
 */
export function embedTexts(
  create: CreateEmbedders,
  onEmbedded: EmbeddedListener,
): (services: Parameters<CreateEmbedders>[0]) => JobHandler {
  return (services) => {
    const embedders = create(services);
    return async (_job, deps) => {
      if (!(await deps.inCompany(isCompanyActive))) {
        return;
      }
      const faults: Error[] = [];
      const spaces = new Set<string>();
      for (const promptId of await deps.inCompany((ctx) => embedders.list(ctx))) {
        const embedder = await deps.inCompany((ctx) => embedders.open(ctx, promptId));
        const space = embedder ? `${embedder.baseUrl} ${embedder.model}` : "";
        if (!embedder || (spaces.size >= maxSpaces && !spaces.has(space))) {
          continue;
        }
        spaces.add(space);
        // One prompt's service that fails keeps no other prompt from its vectors.
        const fault = await embedFor(embedder, embedders, onEmbedded, deps);
        if (fault) {
          faults.push(fault);
        }
      }
      await deps.inCompany((ctx) => deleteUnusedVectors(ctx));
      if (faults[0]) {
        throw faults[0];
      }
    };
  };
}

/** Is told of the sources that have new vectors. */
export type EmbeddedListener = (inCompany: JobDeps["inCompany"], sourceIds: readonly number[]) => Promise<void>;

/** Returns what failed for now. */
async function embedFor(
  embedder: Embedder,
  embedders: Embedders,
  onEmbedded: EmbeddedListener,
  deps: JobDeps,
): Promise<Error | undefined> {
  const { inCompany, signal, log } = deps;
  const { promptId } = embedder;
  const sources = new Set<number>();
  try {
    const space = await spaceOf(embedder, deps);
    if (space && space.leastSimilarity < nothingSimilar) {
      while (await embedBatch(embedder, embedders, space, sources, deps)) {
        signal.throwIfAborted();
      }
    }
    await embedders.note(inCompany, promptId, null);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof LanguageModelError)) {
      throw error;
    }
    log.warn({ err: error, prompt: promptId }, "texts were not embedded");
    await embedders.note(inCompany, promptId, error.fault);
    return error.canRetry ? error : undefined;
  } finally {
    if (sources.size > 0 && !signal.aborted) {
      await onEmbedded(inCompany, [...sources]);
    }
  }
}

/** The space of an embedder, measured the first time; undefined while its prompt has nothing to read. */
async function spaceOf(embedder: Embedder, deps: JobDeps): Promise<Space | undefined> {
  const { inCompany } = deps;
  const { promptId } = embedder;
  const [known, isNeeded] = await inCompany(async (ctx) => {
    const space = await findSpace(ctx, embedder);
    return [space, space ?? (await findUnembedded(ctx, { spaceId: 0, promptId, limit: 1 })).length > 0];
  });
  if (known || !isNeeded) {
    return known;
  }
  const vectors = await unitVectors(embedder, probeTexts, deps);
  const dimensions = vectors[0]?.length ?? 0;
  return inCompany(async (ctx) => {
    await insertSpace(ctx, embedder, { dimensions, leastSimilarity: leastSimilarityOf(vectors) });
    return findSpace(ctx, embedder);
  });
}

/** False once nothing is left. */
async function embedBatch(
  embedder: Embedder,
  embedders: Embedders,
  space: Space,
  sources: Set<number>,
  deps: JobDeps,
): Promise<boolean> {
  const { inCompany } = deps;
  const { promptId } = embedder;
  const texts = await inCompany(async (ctx) => {
    // The month's tokens may be used by now, and the prompt changed or deleted.
    const now = await embedders.open(ctx, promptId);
    const isSame = now?.baseUrl === embedder.baseUrl && now.model === embedder.model;
    return isSame ? findUnembedded(ctx, { spaceId: space.id, promptId, limit: textsAtOnce }) : [];
  });
  if (texts.length === 0) {
    return false;
  }
  const vectors = await unitVectors(
    embedder,
    texts.map(({ text }) => truncateText(text.trim(), maxLetters)),
    deps,
  );
  if (vectors.some(({ length }) => length !== space.dimensions)) {
    // Another model under the same name: everything is embedded and measured again.
    await inCompany((ctx) => deleteSpace(ctx, space.id));
    throw new LanguageModelError("answer", "vectors of another length than before");
  }
  const rows = texts.map(({ digest }, index) => ({
    digest,
    signs: signsOf(vectors[index]!),
    components: bytesOf(vectors[index]!).toString("base64"),
  }));
  await inCompany((ctx) => insertVectors(ctx, space.id, rows));
  texts.forEach(({ sourceId }) => sources.add(sourceId));
  return true;
}

async function unitVectors(
  embedder: Embedder,
  texts: readonly string[],
  { inCompany, signal }: JobDeps,
): Promise<UnitVector[]> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const vectors = (await embedder.embed(texts, { inCompany, signal: inTime })).map((each) => unitVector(each));
  const whole = vectors.filter((each) => each !== undefined);
  if (whole.length !== texts.length || whole.some(({ length }) => length !== whole[0]?.length)) {
    throw new LanguageModelError("answer", "vectors of zeros, or of several lengths");
  }
  return whole;
}
