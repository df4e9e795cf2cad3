import { variableValues } from "@prosa/contract";
import type { BodyOf, prompts, ResponseOf } from "@prosa/contract";
import { companyProfileOf } from "#server/features/companies/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { notFound } from "../prompts.service.ts";
import { askPrompt, noteFault, openPrompt } from "./ask-prompt.ts";
import type { AskedPrompt } from "./ask-prompt.ts";
import { chatTextsOf } from "./conversation.ts";
import { systemText } from "./instructions.ts";

type Texts = BodyOf<typeof prompts.test>["texts"];

/** Somebody waits at the screen (ms). */
const timeoutMs = 45_000;

/**
 * Plays a prompt with the real model: an admin writes as a customer. Nothing is stored but what it used, and whether it works. A
 * fault of the service is an answer too, which the screen puts in words. ERR_NOT_FOUND.
 */
export async function tryPrompt(
  services: Services,
  scope: RequestScope,
  id: number,
  texts: Texts,
): Promise<ResponseOf<typeof prompts.test>> {
  const started = performance.now();
  const { inCompany } = scope;
  const prompt = await inCompany((ctx) => openPrompt(ctx, services, id));
  if (!prompt) {
    throw notFound(id);
  }
  const asked =
    "row" in prompt
      ? await askPrompt(prompt, await inCompany((ctx) => textsOf(ctx, prompt, texts)), {
          inCompany,
          signal: AbortSignal.timeout(timeoutMs),
        })
      : prompt;
  await noteFault(inCompany, id, asked.fault);
  const ms = Math.round(performance.now() - started);
  if (asked.fault !== null) {
    return { text: "", handsOver: false, fault: asked.fault, detail: asked.detail, tokens: 0, ms };
  }
  const { text, handsOver, usage } = asked;
  return { text, handsOver, fault: null, detail: null, tokens: usage.inputTokens + usage.outputTokens, ms };
}

async function textsOf(ctx: Ctx, { row }: AskedPrompt, texts: Texts) {
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
  const system = systemText(row.prompt, { contactName, companyName, maxTokens: row.maxTokens, values });
  const history = texts
    .slice(-row.maxMessages)
    .map(({ fromMe, text }) => ({ fromMe, mediaType: "chat" as const, body: text, transcript: null }));
  return [{ role: "system" as const, text: system }, ...chatTextsOf(history)];
}
