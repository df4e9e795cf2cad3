import type { LanguageModelFault } from "@prosa/contract";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { probeTexts } from "./calibration.ts";
import type { Embedder } from "./embedder.ts";
import { unitVector } from "./vectors.ts";
import type { UnitVector } from "./vectors.ts";

/** Letters of a text: small models read 512 tokens. A quick message may be longer. */
const maxLetters = 2_000;
/** Letters of a text that was refused, the second time: some models read 128 tokens, and some scripts have many in few letters. */
const fewLetters = 400;
/** A call may take this long (ms): nobody waits. */
const timeoutMs = 45_000;

/** Faults that may be those of one text: servers answer 400 or 413 for one that is too long, llama.cpp 500, others zeros. */
const ofText: ReadonlySet<LanguageModelFault> = new Set(["request", "service", "answer"]);

/** A text's vector; `refused`: the service will not take it; `failed`: not now, and it takes others. */
export type EmbeddedText = UnitVector | "refused" | "failed";

/**
 * The vectors of texts, in their order, of one length each for itself. Where a call fails for what may be one text of many, and the
 * service takes another text, halves are tried until that one is alone, and then its beginning. Throws LanguageModelError where the
 * service takes nothing now; an aborted signal its reason.
 */
export async function vectorsOfTexts(
  embedder: Embedder,
  texts: readonly string[],
  deps: JobDeps,
): Promise<EmbeddedText[]> {
  const cut = texts.map((text) => truncateText(text.trim(), maxLetters));
  try {
    return await unitVectors(embedder, cut, deps);
  } catch (error) {
    textFaultOf(error);
    await unitVectors(embedder, probeTexts.slice(0, 1), deps);
    return halves(cut);
  }

  async function halves(some: readonly string[]): Promise<EmbeddedText[]> {
    if (some.length === 1) {
      return [await beginningOf(some[0]!)];
    }
    const half = Math.ceil(some.length / 2);
    return [...(await attempt(some.slice(0, half))), ...(await attempt(some.slice(half)))];
  }

  async function attempt(some: readonly string[]): Promise<EmbeddedText[]> {
    try {
      return await unitVectors(embedder, some, deps);
    } catch (error) {
      textFaultOf(error);
      return halves(some);
    }
  }

  async function beginningOf(text: string): Promise<EmbeddedText> {
    try {
      return (await unitVectors(embedder, [truncateText(text, fewLetters)], deps))[0] ?? "failed";
    } catch (error) {
      return textFaultOf(error) === "request" ? "refused" : "failed";
    }
  }
}

/** Throws all but faults that may be those of one text. */
function textFaultOf(error: unknown): LanguageModelFault {
  if (error instanceof LanguageModelError && ofText.has(error.fault)) {
    return error.fault;
  }
  throw error;
}

/** The vectors of texts that are taken at once. Throws as the embedder, and for vectors of zeros or of several lengths. */
export async function unitVectors(
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
