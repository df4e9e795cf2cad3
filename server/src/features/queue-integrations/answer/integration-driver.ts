import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { signedTypes } from "@prosa/contract";
import type { IntegrationType } from "@prosa/contract";
import { connectionTextsOf, handover, pauseAskedFor } from "#server/features/bot/index.ts";
import type { AssistantDriver, AssistantReply, AssistantRequest, SaidToAssistant } from "#server/features/bot/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { isTimeout, noAnswerInTime } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { linkOfFile } from "#server/platform/storage/index.ts";
import { createCaller, findReplied, noteOutcome, notePause, openCall } from "../calls/index.ts";
import { openCalled } from "../called-integration.ts";
import { answerLost, callBodyOf, detectIntent, IntegrationError, playTypebot, postSigned } from "../protocols/index.ts";
import type { Protocol, Talk } from "../protocols/index.ts";
import { findConversation, findSaidFiles } from "./conversation.queries.ts";
import { keptReply, replyOf } from "./reply.ts";
import { findSession, saveSession, wasInterrupted } from "./sessions.queries.ts";

/** A file that the customer sent is waited for so long (ms), looked at so often. */
const fileWaitMs = 15_000;
const fileLookMs = 300;

export interface IntegrationOptions {
  /** A system has so long to answer (ms). Default: that of the contract. */
  readonly timeoutMs?: number;
}

/** Answers customers by n8n, a webhook, Typebot or Dialogflow (behaviour 6; decision 0221). */
export const createIntegrationDriver =
  (options: IntegrationOptions = {}) =>
  (services: Services): AssistantDriver => ({ answer: (request) => answerOnce(services, options, request) });

async function answerOnce(
  services: Services,
  options: IntegrationOptions,
  request: AssistantRequest,
): Promise<AssistantReply> {
  const { inCompany, signal } = request;
  const said = await readSaid(services, request);
  const turn = await inCompany((ctx) => openTurn(ctx, services, request, said));
  if (!turn) {
    // The integration was deleted since.
    return handover;
  }
  if (turn.kept) {
    return turn.kept;
  }
  const { talk, type, call, deliveryId, owner } = turn;
  const { dialogflowUrl, webhooks } = services.config;
  const { mayBePrivate } = webhooks;
  const { timeoutMs } = options;
  const { caller, facts, refusal } = createCaller({
    mayBePrivate,
    signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  try {
    const answer = await protocolOf(type, call.request, deliveryId, dialogflowUrl)(talk, caller);
    const noted = facts();
    const { reply, note } = await replyOf(answer, { services, request, isStrict: signedTypes.includes(type) });
    await inCompany(async (ctx) => {
      await noteOutcome(ctx, request.assistantId, call.id, { ...noted, state: "delivered", error: note, reply });
      if (answer.session !== undefined) {
        await saveSession(ctx, owner, answer.session);
      }
    });
    return reply;
  } catch (thrown) {
    const error = failureOf(thrown, signal);
    const failed = { ...facts(), state: "failed", error: error.message } as const;
    if (error.reason !== answerLost) {
      const now = services.clock.now();
      const { pauseMs, isOfFirst } = refusal(now);
      // A flow that has gone on in this turn is not put back by waiting.
      const mayWait = !request.isLastTry && pauseMs > 0 && (type !== "typebot" || isOfFirst);
      if (!mayWait) {
        await inCompany((ctx) => noteOutcome(ctx, request.assistantId, call.id, failed));
        throw error;
      }
      const pause = pauseAskedFor(pauseMs, request, now, error.message);
      if (pause) {
        await inCompany((ctx) => notePause(ctx, call.id, failed));
        throw pause;
      }
      const { companyId, ticketId, assistantId } = request;
      services.log.warn(
        { err: error, companyId, integration: assistantId, ticketId, pauseMs },
        "integration asks for a long pause; a person is called",
      );
      await inCompany((ctx) => noteOutcome(ctx, assistantId, call.id, { ...failed, reply: handover }));
      return handover;
    }
    // Asking again would lose it again: a person is called at once, and the next conversation with the flow begins anew.
    await inCompany(async (ctx) => {
      await noteOutcome(ctx, request.assistantId, call.id, { ...failed, reply: handover });
      await saveSession(ctx, owner, null);
    });
    return handover;
  }
}

/**
 * What the log notes of a call that failed: one that ran into the time of its answer got none. Throws what says nothing of the other
 * system: the process stops or has lost its job, or a fault of ours.
 */
function failureOf(thrown: unknown, signal: AbortSignal): IntegrationError {
  const isLate = signal.aborted && isTimeout(signal.reason);
  if (!isLate) {
    signal.throwIfAborted();
  }
  if (thrown instanceof IntegrationError) {
    return thrown;
  }
  if (isLate) {
    return new IntegrationError(noAnswerInTime, "", { cause: thrown });
  }
  throw thrown;
}

/**
 * The reply to the first of the messages, where a process was killed between storing and saying it and the customer has written more:
 * it is said first, for the rest may be asked only after it.
 */
async function unsaidReply(ctx: Ctx, request: AssistantRequest): Promise<AssistantReply | undefined> {
  const { companyId, assistantId, said } = request;
  const beginnings = said.slice(1).map((_, index) => said.slice(0, index + 1));
  if (beginnings.length === 0) {
    return undefined;
  }
  const turns = new Map(beginnings.map((each) => [deliveryIdOf(companyId, { ...request, said: each }), each]));
  const replied = await findReplied(ctx, assistantId, [...turns.keys()]);
  const reply = replied && keptReply(replied.reply);
  return reply && { ...reply, answered: turns.get(replied.deliveryId)?.map(({ messageId }) => messageId) ?? [] };
}

export function protocolOf(
  type: IntegrationType,
  body: string,
  deliveryId: string,
  dialogflowUrl: string | undefined,
): Protocol {
  switch (type) {
    case "n8n":
    case "webhook":
      return postSigned(body, deliveryId);
    case "typebot":
      return playTypebot;
    case "dialogflow":
      return detectIntent(dialogflowUrl);
  }
}

/**
 * Reads the turn, and notes that it is about to be asked: a repeated turn finds the request of the first time. `kept`: there is a reply
 * that was not said yet, to these messages or the first of them. Undefined where the integration or the ticket is gone.
 */
async function openTurn(ctx: Ctx, { vault }: Services, request: AssistantRequest, said: Talk["said"]) {
  const { assistantId, ticketId, connectionId } = request;
  const [integration, conversation] = [
    await openCalled(ctx, vault, assistantId),
    await findConversation(ctx, ticketId),
  ];
  if (!integration || !conversation) {
    return undefined;
  }
  const unsaid = await unsaidReply(ctx, request);
  if (unsaid) {
    return { kept: unsaid };
  }
  const { type } = integration;
  const isSigned = signedTypes.includes(type);
  const { episodeId, contact, ticket, connection } = conversation;
  const owner = { ticketId, integrationId: assistantId, episodeId };
  const session = isSigned ? null : await findSession(ctx, owner);
  const talk: Talk = {
    ...{ integration, said, contact, ticket, connection },
    conversation: `prosa-${ticketId}-${episodeId ?? 0}`,
    session,
    // What we sign is told apart by its id.
    isRepeated: !isSigned && (await wasInterrupted(ctx, owner, session)),
    farewell: (await connectionTextsOf(ctx, connectionId)).complation,
    at: ctx.now(),
  };
  const deliveryId = deliveryIdOf(ctx.companyId, request);
  const call = await openCall(ctx, { integrationId: assistantId, deliveryId, ticketId, request: callBodyOf(talk) });
  const kept = keptReply(call.reply);
  return kept ? { kept } : { talk, type, call, deliveryId, owner };
}

/** The id of a turn: the same in each attempt to answer the same messages, another as soon as one more was said. */
function deliveryIdOf(companyId: number, { assistantId, ticketId, said }: AssistantRequest): string {
  const turn = JSON.stringify([companyId, assistantId, ticketId, said.map(({ messageId }) => messageId)]);
  const hex = createHash("sha256").update(turn).digest("hex");
  // A UUID of version 8: the rest is ours to fill.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

/** What was said, with links to the files; one that is still on its way is waited for. */
async function readSaid(
  { media }: Services,
  { companyId, said, inCompany, signal }: AssistantRequest,
): Promise<Talk["said"]> {
  const withFile = said.flatMap(({ mediaId }) => (mediaId === null ? [] : [mediaId]));
  const until = performance.now() + fileWaitMs;
  let files = withFile.length === 0 ? [] : await inCompany((ctx) => findSaidFiles(ctx, withFile));
  while (files.some(({ isComing }) => isComing) && performance.now() < until) {
    await sleep(fileLookMs, undefined, { signal });
    files = await inCompany((ctx) => findSaidFiles(ctx, withFile));
  }
  return said.map((message) => {
    const file = files.find(({ messageId }) => messageId === message.mediaId);
    const stored = {
      media_path: file?.key ?? null,
      media_name: file?.name ?? null,
      media_type: file?.mimeType ?? null,
    };
    return { ...wordsOf(message), ...fileFacts(linkOfFile(media, companyId, stored), file) };
  });
}

function wordsOf({ messageId, kind, text, at }: SaidToAssistant) {
  return { id: messageId, type: kind, text, sentAt: at.toISOString() };
}

function fileFacts(
  mediaUrl: string | null,
  file: { readonly name: string | null; readonly mimeType: string | null } | undefined,
) {
  return { mediaUrl, mimeType: file?.mimeType ?? null, fileName: file?.name ?? null };
}
