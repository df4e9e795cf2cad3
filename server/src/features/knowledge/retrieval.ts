import { knowledgeRules } from "@prosa/contract";
import type { FoundPassage, SearchedPassage } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import { knowledgeText } from "./citations.ts";
import type { KnowledgeReader } from "./citations.ts";
import { findPassages, hasKnowledge, loadPassages } from "./knowledge.queries.ts";
import type { IdentifiedPassage } from "./knowledge.queries.ts";
import { findByMeaning, fuseRanks, keyOf } from "./meaning/index.ts";
import type { QuestionMeaning, TextKey } from "./meaning/index.ts";
import { needsSource, questionOf, searchedWords } from "./needs-source.ts";

/** A passage that has less than this part of what the best one has, or of the question, says nothing about it. */
const leastOfBest = 0.35;
const leastCoverage = 0.08;
/** Places of each list that are joined: who stands further behind in one would not be among the six of both. */
const ranked = 20;

/**
 * The passages of the company's texts that answer a question, the best first: those that share its words, the rare ones above all, and
 * those that mean what it means, where its vector is given. Plural, accents and words without meaning make no difference. Empty where nothing is
 * about it.
 */
export async function passagesFor(
  ctx: Ctx,
  {
    question,
    promptId,
    meaning,
  }: {
    readonly question: string;
    readonly promptId: number | null;
    readonly meaning: QuestionMeaning | undefined;
  },
): Promise<SearchedPassage[]> {
  const byWords = await findByWords(ctx, question, promptId);
  const byMeaning = meaning ? await findByMeaning(ctx, { promptId, meaning, limit: ranked }) : [];
  const keys = fuseRanks([[...byWords.keys()], byMeaning]).slice(0, knowledgeRules.maxFound);
  const missing = keys.filter((key) => !byWords.has(key));
  const loaded = await loadPassages(ctx, { passageIds: idsOf(missing, "p"), quickMessageIds: idsOf(missing, "q") });
  const passages = new Map([...byWords, ...loaded.map((each) => [keyOfPassage(each), each] as const)]);
  return keys.flatMap((key) => {
    const passage = passages.get(key);
    if (!passage) {
      return [];
    }
    const { sourceId, source, heading, page, text } = passage;
    const foundBy = [
      ...(byWords.has(key) ? (["words"] as const) : []),
      ...(byMeaning.includes(key) ? (["meaning"] as const) : []),
    ];
    return { sourceId, source, heading, page, text, foundBy };
  });
}

/** In their order. */
async function findByWords(
  ctx: Ctx,
  question: string,
  promptId: number | null,
): Promise<Map<TextKey, IdentifiedPassage>> {
  const found = await findPassages(ctx, searchedWords(question), promptId, ranked);
  const best = found[0]?.score ?? 0;
  const kept = found.filter(
    ({ score, coverage }) => coverage === 0 || (score >= best * leastOfBest && coverage >= leastCoverage),
  );
  return new Map(kept.map((passage) => [keyOfPassage(passage), passage]));
}

function keyOfPassage({ passageId, quickMessageId }: IdentifiedPassage): TextKey {
  return keyOf(passageId, quickMessageId);
}

function idsOf(keys: readonly TextKey[], kind: "p" | "q"): number[] {
  return keys.filter((key) => key.startsWith(kind)).map((key) => Number(key.slice(1)));
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
    meaning,
    reader,
  }: {
    readonly promptId: number;
    readonly instructions: string;
    /** The customer's texts, the newest last. */
    readonly said: readonly string[];
    /** Of what was said, where texts are found by meaning too. */
    readonly meaning: QuestionMeaning | undefined;
    readonly reader: KnowledgeReader;
  },
): Promise<KnowledgeOfQuestion> {
  if (!(await hasKnowledge(ctx, promptId))) {
    return { passages: [], text: "", isUnknown: false };
  }
  const question = questionOf(said);
  const passages = question === "" ? [] : await passagesFor(ctx, { question, promptId, meaning });
  const isUnknown = passages.length === 0 && needsSource(said.at(-1) ?? "", instructions);
  return { passages, text: knowledgeText(passages, reader), isUnknown };
}
