import { z } from "zod";
import type { SendFailure } from "@prosa/contract";
import { Later } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Line } from "#server/whatsapp/port.ts";
import { awayMs } from "../line-jobs.ts";
import type { FindLine } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { findAddress } from "../messages.queries.ts";
import { advanceAcks, failMessages } from "./acks.queries.ts";
import { withFile } from "./outgoing-file.ts";
import { flushChat } from "./send-messages.ts";
import { nextUnsent } from "./send.queries.ts";
import type { Unsent } from "./send.queries.ts";
import { afterFailure, sendErrorOf } from "./send-retry-policy.ts";

/**
 * Sends what waits in a chat, oldest first, and no further than the first one that cannot be sent now. Runs in the
 * chat's lane: nobody else sends there. After a crash it sends the same message under the same id again.
 */
export function sendWaiting(
  findLine: FindLine,
  { storage, metrics }: Pick<Services, "storage" | "metrics">,
): JobHandler {
  return async (job, deps) => {
    const { connectionId, ticketId } = chatPayload.parse(job.payload);
    for (;;) {
      deps.signal.throwIfAborted();
      const message = await deps.inCompany((ctx) => nextUnsent(ctx, connectionId, ticketId));
      if (!message) {
        return;
      }
      const failure = await trySend(message, { line: findLine(connectionId), connectionId, storage, deps });
      const next = failure && afterFailure(failure, job.attempt);
      if (next === "wait") {
        throw new Later(awayMs, "The line is away");
      }
      if (next === "again") {
        throw failure;
      }
      await settle(deps, connectionId, message, failure?.reason);
      metrics.messages.inc({ direction: failure === undefined ? "out" : "failed" });
      if (job.attempt > 1) {
        // The tries were this message's: the one behind it gets its own.
        await deps.inCompany(async (ctx) => flushChat(ctx, connectionId, ticketId));
        return;
      }
    }
  };
}

interface SendPlace {
  readonly line: Line | undefined;
  readonly connectionId: number;
  readonly storage: Storage;
  readonly deps: JobDeps;
}

/** Undefined when it was sent. */
async function trySend(message: Unsent, place: SendPlace): Promise<SendError | undefined> {
  const { line, connectionId, storage, deps } = place;
  if (!line) {
    return new SendError("notConnected", true);
  }
  const to = await deps.inCompany((ctx) => findAddress(ctx, connectionId, message.contactId));
  if (!to) {
    return new SendError("invalidContact", false);
  }
  try {
    await withFile(message, { storage, deps }, (content) => line.send(message.waId, to, content));
    return undefined;
  } catch (error) {
    // The lease is lost or the process ends: nothing is wrong with the message.
    deps.signal.throwIfAborted();
    return sendErrorOf(error);
  }
}

/** Where the acknowledgement came by the line's journal already, nothing moves here. */
async function settle(
  deps: JobDeps,
  connectionId: number,
  { waId }: Unsent,
  failure: SendFailure | undefined,
): Promise<void> {
  await deps.inCompany(async (ctx) => {
    const moved =
      failure === undefined
        ? await advanceAcks(ctx, connectionId, [waId], 1)
        : await failMessages(ctx, connectionId, [waId], failure);
    moved.forEach(({ id, ticketId }) => ctx.emit(messageUpdated(ticketId, id)));
  });
}

const chatPayload = z.object({ connectionId: z.number(), ticketId: z.number() });
