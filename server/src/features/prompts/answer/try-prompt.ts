import { promptTestRules, variableValues } from "@prosa/contract";
import type { BodyOf, prompts, ResponseOf } from "@prosa/contract";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { knowledgeFor, meaningOf } from "#server/features/knowledge/index.ts";
import type { QuestionMeaning } from "#server/features/knowledge/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { notFound } from "../prompts.service.ts";
import { askPrompt, noteFault, openPrompt } from "./ask-prompt.ts";
import type { AskedPrompt } from "./ask-prompt.ts";
import { chatTextsOf } from "./conversation.ts";
import { embedderOf, promptEmbedders } from "./embedder.ts";
import { systemText } from "./instructions.ts";
import { citedAnswer, unknownAnswer } from "./with-knowledge.ts";
import type { CitedAnswer } from "./with-knowledge.ts";

type Texts = BodyOf<typeof prompts.test>["texts"];

/** Somebody waits at the screen (ms). */
const timeoutMs = 45_000;

/**
 * Plays a prompt with the real model: an admin writes as a customer. Nothing is stored but what it used, and whether it works. A
 * fault of the service is an answer too, which the screen puts in words. ERR_NOT_FOUND; ERR_TOO_MANY_REQUESTS beyond `perCompany`.
 */
export async function tryPrompt(
  services: Services,
  scope: RequestScope,
  id: number,
  texts: Texts,
): Promise<ResponseOf<typeof prompts.test>> {
  const started = performance.now();
  const { inCompany, actor } = scope;
  await enforceSharedLimit(services, `prompt-test:${actor?.companyId ?? 0}`, promptTestRules.perCompany);
  const prompt = await inCompany((ctx) => openPrompt(ctx, services, id));
  if (!prompt) {
    throw notFound(id);
  }
  if (!("row" in prompt)) {
    await noteFault(inCompany, id, prompt.fault);
    return { ...nothing, fault: prompt.fault, detail: saidByService(prompt.detail), ms: 0 };
  }
  const inTime = AbortSignal.timeout(timeoutMs);
  const embedder = embedderOf(prompt, services.clock.now());
  const meaning = await meaningOf(promptEmbedders(services), embedder, saidIn(texts), { inCompany, signal: inTime });
  const { told, knowledge, language } = await inCompany((ctx) => textsOf(ctx, prompt, texts, meaning));
  const elapsed = () => Math.round(performance.now() - started);
  if (knowledge.isUnknown) {
    return { ...nothing, ...shown(unknownAnswer(language)), ms: elapsed() };
  }
  const asked = await askPrompt(prompt, told, { inCompany, signal: inTime });
  await noteFault(inCompany, id, asked.fault);
  if (asked.fault !== null) {
    return { ...nothing, fault: asked.fault, detail: saidByService(asked.detail), ms: elapsed() };
  }
  const { inputTokens, outputTokens } = asked.usage;
  const answer = shown(citedAnswer(asked, knowledge, language));
  return { ...nothing, ...answer, tokens: inputTokens + outputTokens, ms: elapsed() };
}

const nothing = { text: "", handsOver: false, sources: [], fault: null, detail: null, tokens: 0 };

/** The client puts the status before what the service said. Other details are for the log: the screen has words for the fault. */
function saidByService(detail: string): string | null {
  return /^\d{3} /u.test(detail) ? detail : null;
}

function shown({ text, handsOver, sources, promise }: CitedAnswer) {
  return { text: promise === undefined ? text : `${text} ${promise}`, handsOver, sources: [...sources] };
}

function saidIn(texts: Texts): string[] {
  return texts.filter(({ fromMe }) => !fromMe).map(({ text }) => text);
}

async function textsOf(ctx: Ctx, { row }: AskedPrompt, texts: Texts, meaning: QuestionMeaning | undefined) {
  const { name: companyName, timeZone, language } = await companyProfileOf(ctx);
  const contactName = ctx.actor.kind === "user" ? ctx.actor.name : "";
  const now = ctx.now();
  const values = variableValues({
    contactName: "",
    protocol: "",
    userName: null,
    queueName: null,
    companyName,
    now,
    timeZone,
    language,
  });
  const knowledge = await knowledgeFor(ctx, {
    promptId: row.id,
    instructions: row.prompt,
    said: saidIn(texts),
    meaning,
    reader: "customer",
  });
  const { maxTokens } = row;
  const system = systemText(row.prompt, { contactName, companyName, maxTokens, values, knowledge: knowledge.text });
  const history = texts
    .slice(-row.maxMessages)
    .map(({ fromMe, text }) => ({ fromMe, mediaType: "chat" as const, body: text, transcript: null }));
  return { told: [{ role: "system" as const, text: system }, ...chatTextsOf(history)], knowledge, language };
}
