import { promptDefaults } from "@prosa/contract";
import type { PromptFault } from "@prosa/contract";
import { planOf } from "#server/features/plans/index.ts";
import type { Vault } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { createLanguageModel, LanguageModelError } from "#server/platform/language-model/index.ts";
import type { ChatText, LanguageModel, TokenUsage } from "#server/platform/language-model/index.ts";
import type { Services } from "#server/platform/services.ts";
import { monthOf } from "../month.ts";
import { promptEvent } from "../prompts.service.ts";
import { addUsage, findKeys, findPrompt, keyContext, saveFault } from "../prompts.queries.ts";
import type { PromptRow } from "../prompts.queries.ts";
import { readAnswer } from "./read-answer.ts";
import type { ReadAnswer } from "./read-answer.ts";

/** A prompt and what opens its services, for one answer. */
export interface AskedPrompt {
  readonly row: PromptRow;
  readonly model: LanguageModel;
  readonly voiceKey: string | null;
}

/** An answer, or why there is none. */
export type Asked =
  | (ReadAnswer & { readonly fault: null; readonly usage: TokenUsage })
  | {
      readonly fault: PromptFault;
      readonly detail: string;
      /** Whether the same question may be answered a little later. */
      readonly canRetry: boolean;
      /** The service asks to be left in peace for so long (ms). */
      readonly retryAfterMs?: number | undefined;
    };

/** Why nothing was asked, or nothing came of it. */
export type Failure = Extract<Asked, { detail: string }>;

type InCompany = JobDeps["inCompany"];

/**
 * Loads a prompt to be asked. Undefined if it was deleted, or the plan has no AI; the fault where it may not be asked now: its month's
 * tokens or money are used, or it has no key for a service that wants one.
 */
export async function openPrompt(
  ctx: Ctx,
  { vault, config }: Pick<Services, "vault" | "config">,
  id: number,
): Promise<AskedPrompt | Failure | undefined> {
  const [row, keys, plan] = [await findPrompt(ctx, id, await monthOf(ctx)), await findKeys(ctx, id), await planOf(ctx)];
  if (!row || !keys || plan?.useOpenAi === false) {
    return undefined;
  }
  const atCap = capFaultOf(row);
  if (atCap) {
    return atCap;
  }
  const open = openerOf(ctx, vault, id);
  const apiKey = open(keys.apiKey, "apiKey");
  if (apiKey === null && new URL(row.baseUrl).hostname === new URL(promptDefaults.baseUrl).hostname) {
    return { fault: "key", detail: "no key is set", canRetry: false };
  }
  const { mayBePrivate } = config.languageModels;
  return {
    row,
    model: createLanguageModel({ baseUrl: row.baseUrl, apiKey, mayBePrivate }),
    voiceKey: open(keys.voiceKey, "voiceKey"),
  };
}

/** Whether the month's tokens or money are used by now. */
export async function findCapFault(ctx: Ctx, id: number): Promise<Failure | undefined> {
  const row = await findPrompt(ctx, id, await monthOf(ctx));
  return row && capFaultOf(row);
}

/** A cap of money cannot be set without both prices, so a cost is known wherever there is one. */
function capFaultOf({ monthlyTokens, tokens, monthlyCost, cost }: PromptRow): Failure | undefined {
  if (monthlyTokens !== null && tokens >= monthlyTokens) {
    return { fault: "cap", detail: `${tokens} of ${monthlyTokens} tokens`, canRetry: false };
  }
  return monthlyCost !== null && cost !== null && cost >= monthlyCost
    ? { fault: "cap", detail: `US$ ${cost.toFixed(4)} of ${monthlyCost}`, canRetry: false }
    : undefined;
}

function openerOf({ companyId }: Ctx, vault: Vault, id: number) {
  return (sealed: Buffer | null, name: "apiKey" | "voiceKey"): string | null =>
    sealed && vault.open(sealed, keyContext(companyId, id, name)).toString();
}

/** Asks the model of a prompt for the next text, and counts what it used. Throws the reason of an aborted signal only. */
export async function askPrompt(
  { row, model }: AskedPrompt,
  texts: readonly ChatText[],
  {
    inCompany,
    signal,
    maxTokens = row.maxTokens,
    temperature = row.temperature,
  }: {
    readonly inCompany: InCompany;
    readonly signal: AbortSignal;
    /** Those of the prompt by default. */
    readonly maxTokens?: number;
    readonly temperature?: number;
  },
): Promise<Asked> {
  try {
    const answer = await model.chat({
      model: row.model,
      texts,
      maxTokens,
      temperature,
      signal,
    });
    const usage = orEstimate(answer.usage, texts, answer.text);
    await countUse(inCompany, row.id, usage);
    if (answer.end === "refused") {
      return { fault: "refused", detail: "the model would not answer", canRetry: false };
    }
    const read = readAnswer(answer);
    return read.text === "" && !read.handsOver
      ? { fault: "empty", detail: "the model answered with nothing", canRetry: true }
      : { ...read, fault: null, usage };
  } catch (error) {
    if (error instanceof LanguageModelError) {
      return failureOf(error);
    }
    throw error;
  }
}

export function failureOf({ fault, message, canRetry, retryAfterMs }: LanguageModelError): Failure {
  return { fault, detail: message, canRetry, retryAfterMs };
}

/** Counts a call, in a transaction of its own: it cost what it cost, whether its answer is used or not. */
export async function countUse(inCompany: InCompany, promptId: number, usage: TokenUsage): Promise<void> {
  await inCompany(async (ctx) => addUsage(ctx, promptId, await monthOf(ctx), usage));
}

/** Shows admins on the prompts' screen what fails, and that it works again. */
export async function noteFault(inCompany: InCompany, promptId: number, fault: PromptFault | null): Promise<void> {
  await inCompany(async (ctx) => {
    if (await saveFault(ctx, promptId, fault)) {
      ctx.emit(promptEvent("updated", promptId));
    }
  });
}

/** A token is about four letters. */
export function tokensOf(letters: number): number {
  return Math.ceil(letters / 4);
}

/** As OpenAI counts one of 1,024 pixels (gpt-4o). */
const tokensOfPicture = 765;

/** Services that do not count. */
function orEstimate(usage: TokenUsage, texts: readonly ChatText[], answer: string): TokenUsage {
  if (usage.inputTokens + usage.outputTokens > 0) {
    return usage;
  }
  const letters = texts.reduce((sum, { text }) => sum + text.length, 0);
  const pictures = texts.reduce((sum, { pictures: shown = [] }) => sum + shown.length, 0);
  return { inputTokens: tokensOf(letters) + pictures * tokensOfPicture, outputTokens: tokensOf(answer.length) };
}
