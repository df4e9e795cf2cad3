import { variableValues } from "@prosa/contract";
import type { PromptFault } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import {
  connectionTextsOf,
  handover,
  longestPauseMs,
  pauseAskedFor,
  readChatFacts,
} from "#server/features/bot/index.ts";
import type { AssistantDriver, AssistantReply, AssistantRequest } from "#server/features/bot/index.ts";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { knowledgeFor, meaningOf } from "#server/features/knowledge/index.ts";
import type { KnowledgeOfQuestion, QuestionMeaning } from "#server/features/knowledge/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { LanguageModelError } from "#server/platform/language-model/index.ts";
import type { ChatText } from "#server/platform/language-model/index.ts";
import type { Services } from "#server/platform/services.ts";
import { createSpeech } from "#server/platform/speech/index.ts";
import type { Speech } from "#server/platform/speech/index.ts";
import { queueOf } from "../prompts.queries.ts";
import { askPrompt, failureOf, noteFault, openPrompt } from "./ask-prompt.ts";
import type { AskedPrompt, Failure } from "./ask-prompt.ts";
import { readHistory } from "./answer.queries.ts";
import { chatTextsOf } from "./conversation.ts";
import type { HistoryMessage } from "./conversation.ts";
import { embedderOf, promptEmbedders } from "./embedder.ts";
import { hearRecordings } from "./hear-recordings.ts";
import type { HearingTimes } from "./hear-recordings.ts";
import { systemText } from "./instructions.ts";
import { seePictures } from "./see-pictures.ts";
import { speakAnswer } from "./speak-answer.ts";
import { isUntranscribed } from "./untranscribed.ts";
import { citedAnswer, unknownAnswer } from "./with-knowledge.ts";
import type { CitedAnswer } from "./with-knowledge.ts";

type Answered = CitedAnswer & {
  readonly fault: null;
  /** Whether it is the model's: one that was not asked says nothing of its service. */
  readonly isOfModel: boolean;
};

/** An answer may take this long (ms), as its job says; of it the voice, where there is one, has a share that nothing else uses up. */
const longestAnswerMs = 60_000;
const speechMs = 10_000;

/**
 * Answers customers by an AI prompt (O-08, behaviour 6): hears their voice messages, asks the model, speaks its answer where the
 * prompt has a voice. The model can answer or hand over, nothing else. What fails for now is tried again by the job; what will fail
 * again, or fails the last time, hands over to the prompt's queue, and admins read why on the prompts' screen. A test gives recordings, the
 * voice, the model and pictures less time.
 */
export const createPromptDriver =
  ({ speechTimeoutMs, ...times }: Times & { readonly speechTimeoutMs?: number } = {}) =>
  (services: Services): AssistantDriver =>
    driverOf(services, createSpeech(services.config.speechUrl, speechTimeoutMs), times);

/** Milliseconds. */
interface Times {
  readonly answerMs?: number;
  readonly pictureTimeoutMs?: number;
  readonly hearing?: HearingTimes;
}

function driverOf(
  services: Services,
  speech: Speech,
  { answerMs = longestAnswerMs, hearing, ...times }: Times,
): AssistantDriver {
  const embedders = promptEmbedders(services);

  return {
    async answer(request) {
      const { assistantId, inCompany } = request;
      const prompt = await inCompany((ctx) => openPrompt(ctx, services, assistantId));
      if (!prompt) {
        return handover;
      }
      if (!("row" in prompt)) {
        return handOver(request, undefined, prompt);
      }
      const asked = await ask(prompt, request);
      if (asked.fault !== null) {
        return handOver(request, prompt, asked);
      }
      return send(prompt, asked, request);
    },
  };

  async function ask(prompt: AskedPrompt, request: AssistantRequest): Promise<Failure | Answered> {
    const { said, companyId, inCompany, signal, isLastTry } = request;
    const began = performance.now();
    try {
      const heard = { services, companyId, inCompany, signal, isLastTry, times: hearing };
      const fault = await hearRecordings(prompt, said, heard);
      if (fault) {
        return fault;
      }
    } catch (error) {
      if (error instanceof LanguageModelError) {
        return failureOf(error);
      }
      throw error;
    }
    const read = await inCompany((ctx) => historyOf(ctx, prompt, request));
    const seen = { services, inCompany, signal, isLastTry, said, ...times };
    const history = prompt.row.readsPictures ? await seePictures(read, seen) : read;
    const embedder = embedderOf(prompt, services.clock.now());
    const meaning = await meaningOf(embedders, embedder, textsOf(history), { inCompany, signal });
    const { texts, knowledge, language } = await inCompany((ctx) =>
      readTexts(ctx, prompt, request, { history, meaning }),
    );
    if (knowledge.isUnknown) {
      return { fault: null, isOfModel: false, ...unknownAnswer(language) };
    }
    const leftMs = answerMs - (prompt.row.voice === "text" ? 0 : speechMs) - (performance.now() - began);
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.round(leftMs)))]);
    const asked = await askPrompt(prompt, texts, { inCompany, signal: inTime });
    return asked.fault === null ? { fault: null, isOfModel: true, ...citedAnswer(asked, knowledge, language) } : asked;
  }

  async function send(
    prompt: AskedPrompt,
    { text, handsOver, sources, promise, isOfModel }: Answered,
    { companyId, assistantId, inCompany, signal }: AssistantRequest,
  ): Promise<AssistantReply> {
    const { queueId, faultKind } = prompt.row;
    const spoken =
      text === "" ? null : await speakAnswer(prompt, text, { companyId, speech, storage: services.storage, signal });
    if (spoken?.error) {
      services.log.warn({ err: spoken.error, companyId, prompt: assistantId }, "prompt answered without its voice");
    }
    if (spoken?.error || isOfModel || faultKind === "speech") {
      await noteFault(inCompany, assistantId, spoken?.error ? "speech" : null);
    }
    return {
      messages: spoken ? [{ ...spoken.message, ...(sources.length > 0 && { sources }) }] : [],
      handsOver,
      ...(promise !== undefined && { promise }),
      ...(handsOver && queueId !== null && { queueId }),
    };
  }

  /** Hands over to the prompt's queue, unless a retry may help. */
  async function handOver(
    request: AssistantRequest,
    prompt: AskedPrompt | undefined,
    { fault, detail, canRetry, retryAfterMs = 0 }: Failure,
  ): Promise<AssistantReply> {
    const { assistantId, companyId, ticketId, isLastTry, inCompany } = request;
    // Asked before it wants to be, it would refuse each try.
    if (canRetry && !isLastTry && retryAfterMs <= longestPauseMs) {
      const failure = new PromptFailure(fault, detail);
      throw pauseAskedFor(retryAfterMs, request, services.clock.now(), failure.message) ?? failure;
    }
    services.log.warn({ companyId, prompt: assistantId, ticketId, fault, detail }, "prompt failed; a person is called");
    await noteFault(inCompany, assistantId, fault);
    const queueId = prompt ? prompt.row.queueId : await inCompany((ctx) => queueOf(ctx, assistantId));
    return { ...handover, ...(queueId !== null && { queueId }) };
  }
}

class PromptFailure extends Error {
  override readonly name = "PromptFailure";

  constructor(fault: PromptFault, detail: string) {
    super(`${fault}: ${detail}`);
  }
}

/** What the model is told, and what it may cite. */
interface Told {
  readonly texts: readonly ChatText[];
  readonly knowledge: KnowledgeOfQuestion;
  readonly language: Language;
}

async function historyOf(ctx: Ctx, { row }: AskedPrompt, { ticketId, said }: AssistantRequest) {
  return readHistory(ctx, ticketId, { answered: said.map(({ messageId }) => messageId), limit: row.maxMessages });
}

/** What the customer said: what stands in place of words nobody said. */
function textsOf(history: readonly HistoryMessage[]): string[] {
  return history
    .filter(({ fromMe }) => !fromMe)
    .map(({ transcript, body }) => (transcript === null || isUntranscribed(transcript) ? body : transcript));
}

async function readTexts(
  ctx: Ctx,
  { row }: AskedPrompt,
  { ticketId, connectionId }: AssistantRequest,
  { history, meaning }: { readonly history: readonly HistoryMessage[]; readonly meaning: QuestionMeaning | undefined },
): Promise<Told> {
  const [company, facts, { language }] = [
    await companyProfileOf(ctx),
    (await readChatFacts(ctx, [ticketId])).get(ticketId),
    await connectionTextsOf(ctx, connectionId),
  ];
  const { name: companyName, timeZone } = company;
  const contactName = facts?.contactName ?? "";
  const values = variableValues({
    contactName: "",
    protocol: facts?.protocol ?? "",
    userName: null,
    queueName: facts?.queueName ?? null,
    companyName,
    now: ctx.now(),
    timeZone,
    language,
  });
  const knowledge = await knowledgeFor(ctx, {
    promptId: row.id,
    instructions: row.prompt,
    said: textsOf(history),
    meaning,
    reader: "customer",
  });
  const { maxTokens } = row;
  const system = systemText(row.prompt, { contactName, companyName, maxTokens, values, knowledge: knowledge.text });
  return { texts: [{ role: "system", text: system }, ...chatTextsOf(history)], knowledge, language };
}
