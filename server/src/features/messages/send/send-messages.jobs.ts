import { z } from "zod";
import type { SendFailure } from "@prosa/contract";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Line } from "#server/whatsapp/port.ts";
import { lineRetryMs } from "../line-jobs.ts";
import type { FindLine } from "../line-jobs.ts";
import { findAddress } from "../messages.queries.ts";
import { advanceAcks, failMessages } from "./delivery.ts";
import { withOutboundContent } from "./outgoing-file.ts";
import { enqueueChatSend } from "./send-messages.ts";
import { findNextQueued } from "./send.queries.ts";
import type { QueuedMessage } from "./send.queries.ts";
import { decideRetry, toSendError } from "./send-retry-policy.ts";

/**
 * Job `messages.send`: sends the queued messages of a chat, oldest first, and stops at the first one that cannot be sent
 * now. It runs in the chat's lane, so no other job sends there. After a crash it sends the same message again under the same
 * id, which WhatsApp recognises as a duplicate.
 */
export function sendQueuedMessages(
  findLine: FindLine,
  { storage, metrics }: Pick<Services, "storage" | "metrics">,
): JobHandler {
  return async (job, deps) => {
    const { connectionId, ticketId } = chatPayload.parse(job.payload);
    for (;;) {
      deps.signal.throwIfAborted();
      const message = await deps.inCompany((ctx) => findNextQueued(ctx, connectionId, ticketId));
      if (!message) {
        return;
      }
      const failure = await trySend(message, { line: findLine(connectionId), connectionId, storage, deps });
      const next = failure && decideRetry(failure, job.attempt);
      if (next === "wait") {
        throw new RetryLater(lineRetryMs, "line not connected");
      }
      if (next === "retry") {
        throw failure;
      }
      await saveOutcome(deps, connectionId, message, failure?.reason);
      metrics.messages.inc({ direction: failure === undefined ? "out" : "failed" });
      if (job.attempt > 1) {
        // The attempts so far belong to this message: a new job gives the next message its own.
        await deps.inCompany(async (ctx) => enqueueChatSend(ctx, { connectionId, ticketId, priority: job.priority }));
        return;
      }
    }
  };
}

interface SendContext {
  readonly line: Line | undefined;
  readonly connectionId: number;
  readonly storage: Storage;
  readonly deps: JobDeps;
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
  { waId }: QueuedMessage,
  failure: SendFailure | undefined,
): Promise<void> {
  await deps.inCompany((ctx) =>
    failure === undefined
      ? advanceAcks(ctx, connectionId, [waId], 1)
      : failMessages(ctx, connectionId, [waId], failure),
  );
}

const chatPayload = z.object({ connectionId: z.number(), ticketId: z.number() });
