import { z } from "zod";
import { findTypingChat, keepTyping } from "#server/features/messages/index.ts";
import type { TypingChat } from "#server/features/messages/index.ts";
import { findBotTicket, findTargets, lockBotTicket, lockTicket, placeTicket } from "#server/features/tickets/index.ts";
import type { BotTicket } from "#server/features/tickets/index.ts";
import type { Ctx, NewJob } from "#server/platform/ctx.ts";
import { completeWithin, createTurns, RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { handover } from "../bot.script.ts";
import type { AssistantKinds, AssistantReply, BotState } from "../bot.script.ts";
import { answerAsAssistant, loadScript, parseState } from "../engine/index.ts";
import { saveDecisions } from "../save-decisions.ts";
import { sendToTickets } from "../send-automatic-message.ts";
import { kindsOf } from "./assistant-driver.ts";
import type { AssistantDriver, AssistantDrivers, SaidToAssistant } from "./assistant-driver.ts";
import { readContactId, readSaid } from "./assistants.queries.ts";

export const ASSISTANT_TASK = "bot.assistant";
/** An answer takes at most this long (ms). */
const timeoutMs = 60_000;
/** After this many attempts a person is called. */
const triesBeforeHandover = 3;
/** Or after this long (ms), for a customer who goes on writing begins a new job with each message. */
const patienceMs = 3 * 60_000;

/** Assistants of one company that think at once in this process: slow ones leave slots to other companies (decision 0219). */
const atOnceOfCompany = 60;

/** The job that asks the assistant of a ticket. Messages that arrive while it thinks are answered together by the next one. */
export function assistantJob(ticketId: number): NewJob {
  const lane = `assistant:${ticketId}`;
  // A crash uses up an attempt: the job must live to call a person.
  return { task: ASSISTANT_TASK, payload: { ticketId }, lane, key: lane, maxAttempts: 20, priority: "bot" };
}

/**
 * Job: the assistant's answer to all that was said since its last one. It thinks outside any transaction; what happened
 * meanwhile decides whether the answer is still wanted. An assistant that fails hands over to a person (behaviour 6).
 */
export function answerByAssistant(created: AssistantDrivers, services: Services): JobHandler {
  const { prompt, integration } = created;
  const drivers: Drivers = {
    ...(prompt && { prompt: prompt(services) }),
    ...(integration && { integration: integration(services) }),
  };
  const kinds = kindsOf(created);
  const perCompany = createTurns(atOnceOfCompany);
  const answer: JobHandler = async (job, deps) => {
    const { ticketId } = assistantPayload.parse(job.payload);
    const question = await deps.inCompany((ctx) => readQuestion(ctx, ticketId));
    if (!question) {
      return;
    }
    const stopTyping = question.chat && drivers[question.assistant.kind] && keepTyping(services, question.chat);
    const isLastTry = job.attempt >= triesBeforeHandover || isOutOfPatience(question, services.clock.now());
    const reply = await ask(drivers, question, isLastTry, deps).finally(() => stopTyping?.());
    await deps.inCompany(async (ctx) => {
      await completeWithin(ctx, job);
      await saveReply(ctx, question, reply, kinds);
    });
  };
  // Before anything is read or shown: of many that wait, most only look.
  return (job, deps) =>
    perCompany.runOrRetry(job.companyId ?? 0, () => answer(job, deps), "enough assistants of the company are thinking");
}

/** What an assistant is asked: everything in a ticket that it has not answered. */
interface Question {
  readonly ticketId: number;
  readonly companyId: number;
  readonly connectionId: number;
  readonly assistant: NonNullable<BotState["assistant"]>;
  readonly messageIds: readonly number[];
  readonly said: readonly SaidToAssistant[];
  readonly waitsSince: Date;
  /** Where the customer sees that an answer is being written. */
  readonly chat: TypingChat | undefined;
}

/** Undefined where no assistant has the ticket, or nothing is left to answer. */
async function readQuestion(ctx: Ctx, ticketId: number): Promise<Question | undefined> {
  const ticket = await findBotTicket(ctx, ticketId);
  const state = ticket && stateOf(ticket);
  if (!state?.assistant || ticket?.connectionId == null || state.unanswered.length === 0) {
    return undefined;
  }
  const said = await readSaid(ctx, ticketId, state.unanswered);
  const { connectionId } = ticket;
  const contactId = await readContactId(ctx, ticketId);
  const chat = contactId === undefined ? undefined : await findTypingChat(ctx, { ticketId, connectionId, contactId });
  return {
    ticketId,
    companyId: ctx.companyId,
    connectionId,
    assistant: state.assistant,
    messageIds: state.unanswered,
    said,
    // The release before did not note when it asked.
    waitsSince: new Date(state.askedAt ?? said[0]?.at ?? ctx.now()),
    chat,
  };
}

/** The state of a ticket that waits and that an assistant has; undefined of any other. */
function stateOf({ status, botState }: BotTicket): BotState | undefined {
  const state = parseState(botState);
  return status === "pending" && !state.isOver && state.place === "assistant" ? state : undefined;
}

function isOutOfPatience({ waitsSince }: Question, now: Date): boolean {
  return now.getTime() - waitsSince.getTime() > patienceMs;
}

type Drivers = Readonly<Partial<Record<AssistantKinds[number], AssistantDriver>>>;

async function ask(
  drivers: Drivers,
  { ticketId, companyId, connectionId, assistant, said, waitsSince }: Question,
  isLastTry: boolean,
  { inCompany, signal, log }: JobDeps,
): Promise<AssistantReply> {
  const driver = drivers[assistant.kind];
  if (!driver) {
    return handover;
  }
  if (said.length === 0) {
    // Everything was deleted by the customer.
    return { messages: [], handsOver: false };
  }
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await driver.answer({
      assistantId: assistant.id,
      companyId,
      ticketId,
      connectionId,
      said,
      waitsSince,
      isLastTry,
      inCompany,
      signal: inTime,
    });
  } catch (error) {
    // The lease was lost or the process stops: another one asks again.
    signal.throwIfAborted();
    if (error instanceof RetryLater || !isLastTry) {
      throw error;
    }
    log.warn({ err: error, ticketId }, "assistant failed; a person is called");
    return handover;
  }
}

/** Sends the answer unless the ticket was accepted, or the customer left the assistant, while it thought. */
async function saveReply(ctx: Ctx, question: Question, given: AssistantReply, kinds: AssistantKinds): Promise<void> {
  const { ticketId, connectionId, assistant, messageIds } = question;
  const ticket = await lockBotTicket(ctx, ticketId);
  const state = ticket && stateOf(ticket);
  const isStillAsked =
    state?.assistant?.kind === assistant.kind &&
    state.assistant.id === assistant.id &&
    messageIds.every((id) => state.unanswered.includes(id));
  if (!ticket || !isStillAsked) {
    return;
  }
  const script = await loadScript(ctx, connectionId, kinds);
  const { reply, queueId: current } = await withKnownTargets(ctx, ticket, state, given);
  const { answered = messageIds } = reply;
  const next = answerAsAssistant(script, { ...state, queueId: current }, { ...reply, answered, at: ctx.now() });
  const { queueId, chatbot } = ticket;
  await saveDecisions(ctx, [{ ticketId, queueId, chatbot, decision: next }]);
  await sendToTickets(ctx, connectionId, [{ ticketId, messages: next.messages }]);
  if (next.outcome === "assistant" && messageIds.some((id) => !answered.includes(id))) {
    // This was the job of the rest.
    ctx.enqueue(assistantJob(ticketId));
  }
  const { userId = null } = reply;
  const isAllAnswered = state.unanswered.every((id) => answered.includes(id));
  const closes = reply.closes === true && isAllAnswered;
  if (userId !== null || closes) {
    // The decision has put it in its queue.
    await placeTicket(ctx, await lockTicket(ctx, ticketId), { queueId: null, userId, closes });
  }
}

/**
 * The reply without a queue or an agent that is gone, and the queue that the conversation is in without it: whoever was deleted while
 * the assistant thought leaves nobody in silence. Instead of the agent a person is called.
 */
async function withKnownTargets(
  ctx: Ctx,
  ticket: BotTicket,
  state: BotState,
  { queueId, userId, ...reply }: AssistantReply,
): Promise<{ readonly reply: AssistantReply; readonly queueId: number | null }> {
  const wanted = queueId ?? state.queueId;
  if (wanted === null && userId === undefined) {
    return { reply, queueId: null };
  }
  const { hasQueue, hasUser } = await findTargets(ctx, { queueId: wanted, userId: userId ?? null });
  return {
    reply: {
      ...reply,
      handsOver: reply.handsOver || userId !== undefined,
      ...(queueId !== undefined && hasQueue && { queueId }),
      ...(userId !== undefined && hasUser && { userId }),
    },
    queueId: hasQueue ? state.queueId : ticket.queueId,
  };
}

const assistantPayload = z.object({ ticketId: z.number() });
