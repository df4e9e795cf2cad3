import type { EmbeddingFault } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";

export type InCompany = JobDeps["inCompany"];

/** Turns texts into vectors, by the service of one AI prompt and on its account. */
export interface Embedder {
  readonly promptId: number;
  readonly baseUrl: string;
  readonly model: string;
  /** It failed a moment ago, and may be back: nobody waits for it, a job tries it. */
  readonly isResting: boolean;
  /** A vector for each text, in their order, all finite. Counts its tokens. Throws LanguageModelError; an aborted signal its reason. */
  embed(
    texts: readonly string[],
    deps: { readonly inCompany: InCompany; readonly signal: AbortSignal },
  ): Promise<readonly (readonly number[])[]>;
}

/** The embedders of a company. What prompts are is known above this feature. */
export interface Embedders {
  /** Ids of the prompts whose texts are to be found by meaning too. */
  list(ctx: Ctx): Promise<number[]>;
  /** Undefined where the prompt has none, its month's tokens are used, or it failed for a reason that lasts, for some time. */
  open(ctx: Ctx, promptId: number): Promise<Embedder | undefined>;
  /** Remembers that it failed, or that it works again. */
  note(inCompany: InCompany, promptId: number, fault: EmbeddingFault | null): Promise<void>;
}

export type CreateEmbedders = (services: Pick<Services, "vault" | "config" | "clock">) => Embedders;
