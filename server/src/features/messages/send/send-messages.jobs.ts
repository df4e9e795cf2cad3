import { z } from "zod";
import type { SendFailure } from "@prosa/contract";
import { countStart } from "#server/features/connections/index.ts";
import { createLineTurns, decideAtLine } from "#server/features/sending/index.ts";
import { hastenJobs, RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Line } from "#server/whatsapp/port.ts";
import { chatLane, lineAffinity, lineRetryMs } from "../line-jobs.ts";
import type { FindLine } from "../line-jobs.ts";
import { findAddress } from "../messages.queries.ts";
import { advanceAcks, failMessages } from "./delivery.ts";
import { withOutboundContent } from "./outgoing-file.ts";
import { enqueueChatSend } from "./send-messages.ts";
import { pauseBefore, waitsForPause } from "./pauses.ts";
import { findNextQueued } from "./send.queries.ts";
import type { QueuedMessage } from "./send.queries.ts";
import { decideRetry, toSendError } from "./send-retry-policy.ts";

/**
 * Job `messages.send`: sends the queued messages of a chat, oldest first, and stops at the first one that cannot be sent
 * now. It runs in the chat's lane, so no other job sends there. After a crash it sends the same message again under the same
 * id, which WhatsApp recognises as a duplicate. What starts a conversation waits while WhatsApp limits the line (P-04).
 */
export function sendQueuedMessages(
  findLine: FindLine,
  { storage, metrics }: Pick<Services, "storage" | "metrics">,
): JobHandler {
  const turns = createLineTurns();
  return async (job, deps) => {
    const { connectionId, ticketId } = chatPayload.parse(job.payload);
    const sendLater = () =>
      deps.inCompany(async (ctx) => enqueueChatSend(ctx, { connectionId, ticketId, priority: job.priority }));
    if (job.lane !== chatLane(connectionId, ticketId)) {
      // It waited for the job of a ticket that was merged, or the release before enqueued it, whose lanes name no line.
      await sendLater();
      return;
    }
    for (;;) {
      deps.signal.throwIfAborted();
      const message = await deps.inCompany((ctx) => findNextQueued(ctx, connectionId, ticketId));
      if (!message) {
        return;
      }
      const pauseMs = pauseBefore(message, deps.clock.now());
      if (pauseMs > 0) {
        await showTyping(message, { line: findLine(connectionId), connectionId, deps });
        throw new RetryLater(pauseMs, waitsForPause);
      }
      const decision = decideAtLine(message, deps.clock.now());
      if (decision.kind === "hold") {
        throw new RetryLater(Math.min(decision.until.getTime() - deps.clock.now().getTime(), lookAgainMs), heldByLimit);
      }
      if (decision.kind === "refuse") {
        await saveOutcome(deps, connectionId, message, decision.reason);
        metrics.messages.inc({ direction: "failed" });
        continue;
      }
      const waitMs = message.takesTurn ? turns.take(connectionId, deps.clock.now()) : 0;
      if (waitMs > 0) {
        throw new RetryLater(waitMs, "another message of the line has its turn");
      }
      const began = performance.now();
      const failure = await trySend(message, { line: findLine(connectionId), connectionId, storage, deps }).finally(
        () => {
          if (message.takesTurn) {
            turns.end(connectionId, deps.clock.now());
          }
        },
      );
      const next = failure && decideRetry(failure, job.attempt);
      if (next === "wait") {
        throw new RetryLater(lineRetryMs, "line not connected");
      }
      if (next === "retry") {
        throw failure;
      }
      await saveOutcome(deps, connectionId, message, failure?.reason);
      metrics.messages.inc({ direction: failure === undefined ? "out" : "failed" });
      if (failure === undefined) {
        const seconds = (performance.now() - began) / 1_000;
        metrics.observeSend(connectionId, seconds);
        metrics.sendWait.observe(Math.max(0, (Date.now() - message.createdAt.getTime()) / 1_000 - seconds));
      }
      if (job.attempt > 1) {
        // The attempts so far belong to this message: a new job gives the next message its own.
        await sendLater();
        return;
      }
    }
  };
}

/** Why a held message's job waits. */
const heldByLimit = "the line may not start conversations";
/** A held message looks again after this time (ms), so that a word that was missed holds nothing for long. */
const lookAgainMs = 30_000;

/** Makes the held messages of a line due: its limit has changed. */
export function wakeHeldMessages(ctx: Ctx, connectionId: number): Promise<void> {
  return hastenJobs(ctx, lineAffinity(connectionId), heldByLimit);
}

interface SendContext {
  readonly line: Line | undefined;
  readonly connectionId: number;
  readonly storage: Storage;
  readonly deps: JobDeps;
}

/** The contact sees that somebody types. What fails here is no failure of the message. */
async function showTyping(
  message: QueuedMessage,
  { line, connectionId, deps }: Omit<SendContext, "storage">,
): Promise<void> {
  const to = line && (await deps.inCompany((ctx) => findAddress(ctx, connectionId, message.contactId)));
  if (to) {
    await line.setTyping(to, true).catch((error: unknown) => deps.log.debug({ err: error }, "typing not sent"));
  }
}

/** Undefined on success. */
async function trySend(message: QueuedMessage, context: SendContext): Promise<SendError | undefined> {
  const { line, connectionId, storage, deps } = context;
  if (!line) {
    return new SendError("notConnected", true);
  }
  const to = await deps.inCompany((ctx) => findAddress(ctx, connectionId, message.contactId));
  if (!to) {
    return new SendError("invalidContact", false);
  }
  try {
    await withOutboundContent(message, { storage, deps }, (content) => line.send(message.waId, to, content));
    return undefined;
  } catch (error) {
    // The job was aborted because the lease was lost or the process stops: that is no failure of the message.
    deps.signal.throwIfAborted();
    return toSendError(error);
  }
}

/** Stores the outcome. The line's journal may have stored the acknowledgement first: then nothing changes here. */
async function saveOutcome(
  deps: JobDeps,
  connectionId: number,
  { waId, countsAsStart }: QueuedMessage,
  failure: SendFailure | undefined,
): Promise<void> {
  await deps.inCompany(async (ctx) => {
    if (failure !== undefined) {
      return failMessages(ctx, connectionId, [waId], failure);
    }
    await advanceAcks(ctx, connectionId, [waId], 1);
    if (countsAsStart) {
      await countStart(ctx, connectionId);
    }
  });
}

const chatPayload = z.object({ connectionId: z.number(), ticketId: z.number() });
