import { isCompanyActive } from "#server/features/companies/index.ts";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import type { Cron, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { leastSimilarityOf, nothingSimilar, probeTexts } from "./calibration.ts";
import { embedJob } from "./embed-job.ts";
import type { CreateEmbedders, Embedder, Embedders } from "./embedder.ts";
import {
  COMPANIES_WITH_MEANING,
  deleteOldSpace,
  deleteUnusedVectors,
  findSpace,
  findUnembedded,
  insertSpace,
  insertVectors,
} from "./meaning.queries.ts";
import { noVector } from "./meaning.queries.ts";
import type { NewVector, Space } from "./meaning.queries.ts";
import { bytesOf, signsOf } from "./vectors.ts";
import { unitVectors, vectorsOfTexts } from "./vectors-of-texts.ts";

/** Texts of one call: small servers take no more at once (Hugging Face's takes 32). */
const textsAtOnce = 32;
/** Services and models of a company that a run embeds for: each is as many rows as there are passages. */
const maxSpaces = 3;

/** Services come back, archives are moved in, texts failed that work now. */
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
 * again, the last time by the next hour's: an outage leaves no dead jobs.
 */
export function embedTexts(
  create: CreateEmbedders,
  onEmbedded: EmbeddedListener,
): (services: Parameters<CreateEmbedders>[0]) => JobHandler {
  return (services) => {
    const embedders = create(services);
    return async (job, deps) => {
      if (!(await deps.inCompany(isCompanyActive))) {
        return;
      }
      const faults: Error[] = [];
      const spaces = new Set<string>();
      for (const promptId of await deps.inCompany((ctx) => embedders.list(ctx))) {
        const embedder = await deps.inCompany((ctx) => embedders.open(ctx, promptId));
        const space = embedder ? `${embedder.baseUrl} ${embedder.model}` : "";
        if (!embedder) {
          continue;
        }
        if (spaces.size >= maxSpaces && !spaces.has(space)) {
          await embedders.note(deps.inCompany, promptId, "spaces");
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
      if (faults[0] && job.attempt < job.maxAttempts) {
        throw faults[0];
      }
    };
  };
}

/** Is told of the sources that have new vectors. */
export type EmbeddedListener = (inCompany: JobDeps["inCompany"], sourceIds: readonly number[]) => Promise<void>;

/** What a run has done for one prompt. */
interface Progress {
  /** Those that have new vectors. */
  readonly sources: Set<number>;
  /** Digests of texts that this run leaves out. */
  readonly failed: string[];
}

/** Returns what failed for now. */
async function embedFor(
  embedder: Embedder,
  embedders: Embedders,
  onEmbedded: EmbeddedListener,
  deps: JobDeps,
): Promise<Error | undefined> {
  const { inCompany, signal, log } = deps;
  const { promptId } = embedder;
  const progress: Progress = { sources: new Set(), failed: [] };
  const { sources } = progress;
  try {
    const space = await spaceOf(embedder, deps);
    if (space && space.leastSimilarity >= nothingSimilar) {
      await embedders.note(inCompany, promptId, "alike");
      return undefined;
    }
    while (space && (await embedBatch(embedder, embedders, space, progress, deps))) {
      signal.throwIfAborted();
    }
    if (progress.failed.length > 0) {
      log.warn({ prompt: promptId, texts: progress.failed.length }, "texts failed to be embedded, and others did not");
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
    return [space, space ?? (await findUnembedded(ctx, { spaceId: 0, promptId, except: [], limit: 1 })).length > 0];
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
  { sources, failed }: Progress,
  deps: JobDeps,
): Promise<boolean> {
  const { inCompany } = deps;
  const { promptId } = embedder;
  const texts = await inCompany(async (ctx) => {
    // The month's tokens may be used by now, and the prompt changed or deleted.
    const now = await embedders.open(ctx, promptId);
    const isSame = now?.baseUrl === embedder.baseUrl && now.model === embedder.model;
    const wanted = { spaceId: space.id, promptId, except: failed, limit: textsAtOnce };
    return isSame ? findUnembedded(ctx, wanted) : [];
  });
  if (texts.length === 0) {
    return false;
  }
  const embedded = await vectorsOfTexts(
    embedder,
    texts.map(({ text }) => text),
    deps,
  );
  if (embedded.some((each) => typeof each !== "string" && each.length !== space.dimensions)) {
    // The next try embeds all anew where the space was let go, and else asks for these alone again.
    await inCompany((ctx) => deleteOldSpace(ctx, space.id));
    throw new LanguageModelError("answer", "vectors of another length than before");
  }
  const rows: NewVector[] = [];
  for (const [index, { digest, sourceId }] of texts.entries()) {
    const vector = embedded[index] ?? "failed";
    if (vector === "failed") {
      failed.push(digest);
    } else if (vector === "refused") {
      rows.push({ digest, ...noVector });
    } else {
      rows.push({ digest, signs: signsOf(vector), components: bytesOf(vector).toString("base64") });
      sources.add(sourceId);
    }
  }
  await inCompany((ctx) => insertVectors(ctx, space.id, rows));
  return true;
}
