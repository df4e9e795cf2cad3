import { z } from "zod";
import { changeKinds } from "@prosa/contract";
import type { SendFailure } from "@prosa/contract";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Outbound } from "#server/whatsapp/port.ts";
import { participantRef } from "../authors.ts";
import { lineRetryMs } from "../line-jobs.ts";
import type { FindLine } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { findAddress } from "../messages.queries.ts";
import { decideRetry, toSendError, maxSendAttempts } from "../send/index.ts";
import { clearChangeFailure, failChange, findOutgoingChange } from "./change-failures.queries.ts";
import type { ChangeKind, OutgoingChange } from "./change-failures.queries.ts";
import { isTooLate } from "./change-rules.ts";

/** The payload of a job `messages.change`. Jobs of earlier releases have more fields, which are ignored. */
export const changePayload = z.object({
  messageId: z.number(),
  connectionId: z.number(),
  waId: z.string(),
  change: z.object({ kind: z.enum(changeKinds) }),
});
export type ChangePayload = z.output<typeof changePayload>;

/**
 * Job `messages.change`: sends an edit, a deletion or a reaction to WhatsApp. It runs in the chat's lane, so after the message
 * itself. It sends the message's present state: of several changes the last one wins, whichever job was retried.
 */
export function sendChange(findLine: FindLine): JobHandler {
  return async (job, deps) => {
    const { messageId, connectionId, waId, change } = changePayload.parse(job.payload);
    const found = await deps.inCompany(async (ctx) => {
      const outgoing = await findOutgoingChange(ctx, messageId);
      return outgoing && { outgoing, to: await findAddress(ctx, connectionId, outgoing.contactId) };
    });
    const content = found && toOutboundChange(change.kind, found.outgoing);
    if (!found || !content) {
      return;
    }

    const { outgoing, to } = found;
    if (job.attempt > maxSendAttempts) {
      // Each attempt killed the process.
      await saveOutcome(deps, messageId, change.kind, "unknown");
      return;
    }
    // It was in time when it was asked for, and waited for its line: the contact's phone would ignore it.
    if (isTooLate(change.kind, outgoing.handedAt ?? outgoing.sentAt, deps.clock.now())) {
      await saveOutcome(deps, messageId, change.kind, "refused");
      return;
    }
    try {
      if (!to) {
        throw new SendError("invalidContact", false);
      }
      await (findLine(connectionId)?.send(waId, to, content) ?? Promise.reject(new SendError("notConnected", true)));
    } catch (error) {
      deps.signal.throwIfAborted();
      const failure = toSendError(error);
      const next = decideRetry(failure, job.attempt);
      if (next === "wait") {
        throw new RetryLater(lineRetryMs, "line not connected");
      }
      if (next === "retry") {
        throw failure;
      }
      await saveOutcome(deps, messageId, change.kind, failure.reason);
      return;
    }
    if (outgoing.failedKind === change.kind) {
      await saveOutcome(deps, messageId, change.kind, null);
    }
  };
}

/** Undefined if there is nothing to send: the message was not sent yet, was deleted after the edit, or its deletion was undone. */
function toOutboundChange(kind: ChangeKind, outgoing: OutgoingChange): Outbound | undefined {
  const { waId, fromMe, ack, body, isDeleted, handedAt, ownReaction } = outgoing;
  // A message that was never handed to WhatsApp is sent with its new text, or not at all.
  if (fromMe && ack < 1 && handedAt === null) {
    return undefined;
  }
  const target = { waId, fromMe, ...participantRef(outgoing) };
  switch (kind) {
    case "edit":
      return isDeleted ? undefined : { kind, target, text: body };
    case "revoke":
      return isDeleted ? { kind, target } : undefined;
    case "reaction":
      return { kind, target, emoji: ownReaction };
  }
}

async function saveOutcome(
  deps: JobDeps,
  messageId: number,
  kind: ChangeKind,
  reason: SendFailure | null,
): Promise<void> {
  await deps.inCompany(async (ctx) => {
    const ticketId =
      reason === null
        ? await clearChangeFailure(ctx, messageId, kind)
        : await failChange(ctx, messageId, { kind, reason });
    if (ticketId !== undefined) {
      ctx.emit(messageUpdated(ticketId, messageId));
    }
  });
}
