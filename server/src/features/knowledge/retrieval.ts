import { knowledgeRules } from "@prosa/contract";
import type { FoundPassage } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import { knowledgeText } from "./citations.ts";
import type { KnowledgeReader } from "./citations.ts";
import { findPassages, hasKnowledge } from "./knowledge.queries.ts";
import { needsSource, questionOf, searchedWords } from "./needs-source.ts";

/** A passage that has less than this part of what the best one has, or of the question, says nothing about it. */
const leastOfBest = 0.35;
const leastCoverage = 0.08;

/**
 * The passages of the company's texts that answer a question, the best first: those that share its words, the rare ones above all.
 * Plural, accents and words without meaning make no difference. Empty where nothing is about it.
 */
export async function passagesFor(
  ctx: Ctx,
  { question, promptId }: { readonly question: string; readonly promptId: number | null },
): Promise<FoundPassage[]> {
  const ranked = await findPassages(ctx, searchedWords(question), promptId, knowledgeRules.maxFound);
  const best = ranked[0]?.score ?? 0;
  return ranked
    .filter(({ score, coverage }) => coverage === 0 || (score >= best * leastOfBest && coverage >= leastCoverage))
    .map(({ sourceId, source, heading, page, text }) => ({ sourceId, source, heading, page, text }));
}

/** What a prompt is told of the company's texts for one question. */
export interface KnowledgeOfQuestion {
  /** In the order of their numbers. */
  readonly passages: readonly FoundPassage[];
  /** The passages quoted, with the rules for them; empty where the prompt has nothing to read. */
  readonly text: string;
  /** Nobody need be asked: neither the company's texts nor the instructions say anything of this question. */
  readonly isUnknown: boolean;
}

/** The passages for a question as a prompt's system text quotes them; none, and no rules, where the prompt has no knowledge. */
export async function knowledgeFor(
  ctx: Ctx,
  {
    promptId,
    instructions,
    said,
    reader,
  }: {
    readonly promptId: number;
    readonly instructions: string;
    /** The customer's texts, the newest last. */
    readonly said: readonly string[];
    readonly reader: KnowledgeReader;
  },
): Promise<KnowledgeOfQuestion> {
  if (!(await hasKnowledge(ctx, promptId))) {
    return { passages: [], text: "", isUnknown: false };
  }
  const question = questionOf(said);
  const passages = question === "" ? [] : await passagesFor(ctx, { question, promptId });
  const isUnknown = passages.length === 0 && needsSource(said.at(-1) ?? "", instructions);
  return { passages, text: knowledgeText(passages, reader), isUnknown };
}
