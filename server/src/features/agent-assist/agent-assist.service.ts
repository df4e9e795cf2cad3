import { agentAssistRules } from "@prosa/contract";
import type { AssistDraft, BodyOf, agentAssist } from "@prosa/contract";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { knowledgeFor, meaningOf, readCitations } from "#server/features/knowledge/index.ts";
import type { QuestionMeaning } from "#server/features/knowledge/index.ts";
import {
  askPrompt,
  embedderOf,
  isUntranscribed,
  noteFault,
  openPrompt,
  promptEmbedders,
} from "#server/features/prompts/index.ts";
import type { AskedPrompt } from "#server/features/prompts/index.ts";
import { settingOf } from "#server/features/settings/index.ts";
import { visibleTicket } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { findAssistPrompt, findReceived, findNewest } from "./agent-assist.queries.ts";
import type { AssistPrompt, ShownMessage } from "./agent-assist.queries.ts";
import { replyRequest, rewriteRequest, summaryRequest, textOf, translationRequest } from "./requests.ts";
import type { AssistRequest } from "./requests.ts";

type Tools = Pick<Services, "vault" | "config" | "db" | "clock">;
interface Asking {
  readonly scope: RequestScope;
  readonly ticketId: number;
  /** Aborted when the person does not wait any more. */
  readonly signal: AbortSignal;
}

/** Whether the desk offers drafts: its prompt has a key, and the company has not switched it off. */
export async function isAssistOn(ctx: Ctx): Promise<boolean> {
  return (await assistPromptOf(ctx))?.hasKey === true;
}

/** A draft of the agent's next message, with the sources that it cites. */
export async function draftReply(tools: Tools, asking: Asking): Promise<AssistDraft> {
  const { actor } = asking.scope;
  const agentName = actor?.kind === "user" ? actor.name : "";
  const read = (ctx: Ctx) => findNewest(ctx, asking.ticketId, agentAssistRules.replyMessages);
  const prepare: Prepare = async (ctx, { prompt: { row }, messages, said, meaning }) => {
    const { name: companyName } = await companyProfileOf(ctx);
    const { id: promptId, prompt: instructions } = row;
    const asked = { promptId, instructions, said, meaning, reader: "agent" } as const;
    const { passages, text: knowledge } = await knowledgeFor(ctx, asked);
    return { request: replyRequest(messages, { companyName, agentName, instructions, knowledge }), passages };
  };
  return draft(tools, asking, prepare, read);
}

/** What a conversation is about, for the agent. */
export async function summarise(
  tools: Tools,
  asking: Asking,
  { language }: BodyOf<typeof agentAssist.summary>,
): Promise<AssistDraft> {
  return draft(tools, asking, async (ctx) => {
    const messages = await findNewest(ctx, asking.ticketId, agentAssistRules.summaryMessages);
    return { request: summaryRequest(messages, language), passages: [] };
  });
}

export async function rewrite(
  tools: Tools,
  asking: Asking,
  { text, tone }: BodyOf<typeof agentAssist.rewrite>,
): Promise<AssistDraft> {
  return draft(tools, asking, () => Promise.resolve({ request: rewriteRequest(text, tone), passages: [] }));
}

/** A draft, a message, or what the customer wrote last. Throws ERR_NO_MESSAGE_FOUND for a message that is not of this conversation, or says nothing. */
export async function translate(
  tools: Tools,
  asking: Asking,
  { text, messageId, language }: BodyOf<typeof agentAssist.translate>,
): Promise<AssistDraft> {
  const said = text ?? (await receivedText(asking, messageId));
  const request = translationRequest(truncateText(said, agentAssistRules.maxText), language);
  return draft(tools, asking, () => Promise.resolve({ request, passages: [] }));
}

/** Of this message of the ticket, or of the last one that the customer wrote. Throws ERR_NO_MESSAGE_FOUND where there is none. */
async function receivedText({ scope, ticketId }: Asking, messageId: number | undefined): Promise<string> {
  return scope.read(async (ctx) => {
    await visibleTicket(ctx, ticketId);
    const message = await findReceived(ctx, ticketId, messageId);
    const said = message ? textOf(message) : "";
    if (said === "") {
      throw new AppError("ERR_NO_MESSAGE_FOUND");
    }
    return said;
  });
}

interface Prepared {
  readonly request: AssistRequest;
  /** Those that the answer may cite. */
  readonly passages: Awaited<ReturnType<typeof knowledgeFor>>["passages"];
}

interface Known {
  readonly prompt: AskedPrompt;
  /** Those by which passages are looked for, oldest first; none where no passages are. */
  readonly messages: readonly ShownMessage[];
  /** What the customer said in them. */
  readonly said: readonly string[];
  readonly meaning: QuestionMeaning | undefined;
}

type Prepare = (ctx: Ctx, known: Known) => Promise<Prepared>;

/**
 * Asks the model of the desk's prompt, outside any transaction, for a ticket that the actor may see. Throws ERR_NO_TICKET_FOUND or
 * ERR_NO_PERMISSION, ERR_TOO_MANY_REQUESTS, ERR_AI_CAP when the month's tokens are used, ERR_AI_UNAVAILABLE with `details.fault`
 * where there is no answer.
 */
async function draft(
  tools: Tools,
  { scope, ticketId, signal }: Asking,
  prepare: Prepare,
  /** The messages by which passages are looked for; only a reply has some. */
  read?: (ctx: Ctx) => Promise<ShownMessage[]>,
): Promise<AssistDraft> {
  const { inCompany, actor } = scope;
  await scope.read((ctx) => visibleTicket(ctx, ticketId));
  const who = actor?.kind === "user" ? actor.userId : 0;
  await enforceSharedLimit(tools, `agent-assist:user:${who}`, agentAssistRules.perUser);
  await enforceSharedLimit(tools, `agent-assist:company:${actor?.companyId ?? 0}`, agentAssistRules.perCompany);

  const { prompt, messages } = await scope.read(async (ctx) => {
    const found = await assistPromptOf(ctx);
    if (found?.hasKey === false) {
      throw refusal("key");
    }
    const opened = found && (await openPrompt(ctx, tools, found.id));
    if (!opened) {
      throw new AppError("ERR_AI_UNAVAILABLE", { fault: "off" });
    }
    if (!("row" in opened)) {
      throw refusal(opened.fault);
    }
    return { prompt: opened, messages: (await read?.(ctx)) ?? [] };
  });

  const inTime = AbortSignal.any([signal, AbortSignal.timeout(agentAssistRules.timeoutMs)]);
  const late = (error: unknown) => {
    throw inTime.aborted ? refusal("timeout") : error;
  };
  const said = messages
    .filter(({ fromMe }) => !fromMe)
    .map((message) => (isUntranscribed(message.transcript ?? "") ? "" : textOf(message)));
  const embedder = embedderOf(prompt, tools.clock.now());
  const meaning = await meaningOf(promptEmbedders(tools), embedder, said, { inCompany, signal: inTime }).catch(late);
  const { request, passages } = await scope.read((ctx) => prepare(ctx, { prompt, messages, said, meaning }));
  const { texts, maxTokens, temperature } = request;
  const answer = await askPrompt(prompt, texts, { inCompany, signal: inTime, maxTokens, temperature }).catch(late);
  if (answer.fault !== null) {
    scope.log.warn({ prompt: prompt.row.id, ticketId, fault: answer.fault, detail: answer.detail }, "no draft");
    await noteFault(inCompany, prompt.row.id, answer.fault);
    throw refusal(answer.fault);
  }
  // It works again; of the voice this says nothing.
  if (prompt.row.faultKind !== null && prompt.row.faultKind !== "speech") {
    await noteFault(inCompany, prompt.row.id, null);
  }
  // In a reply a number in brackets is a citation, of nothing where the model made it up; in a translation it is the author's.
  const { text, sources } = read ? readCitations(answer.text, passages) : { ...answer, sources: [] };
  if (text === "") {
    throw refusal("empty");
  }
  return { text, sources: [...sources] };
}

function refusal(fault: string): AppError {
  return fault === "cap" ? new AppError("ERR_AI_CAP") : new AppError("ERR_AI_UNAVAILABLE", { fault });
}

/** The prompt that drafts for the desk: the one that the company chose, else its first with a key. Undefined if there is none, or it is off. */
async function assistPromptOf(ctx: Ctx): Promise<AssistPrompt | undefined> {
  const chosen = await settingOf(ctx, "agentAssist");
  return chosen === "disabled" ? undefined : findAssistPrompt(ctx, chosen === "enabled" ? null : Number(chosen));
}
