import { z } from "zod";
import { changeKinds } from "@prosa/contract";
import type { SendFailure } from "@prosa/contract";
import { Later } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Outbound } from "#server/whatsapp/port.ts";
import { authorOf } from "../authors.ts";
import { awayMs } from "../line-jobs.ts";
import type { FindLine } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { findAddress } from "../messages.queries.ts";
import { afterFailure, sendErrorOf, sendTries } from "../send/index.ts";
import { clearChangeFailure, failChange, findLeavingChange } from "./change-failures.queries.ts";
import type { ChangeKind, LeavingChange } from "./change-failures.queries.ts";

/** The part of a job that says what it carries; what a job of an earlier release says beyond it is not needed. */
export const changePayload = z.object({
  messageId: z.number(),
  connectionId: z.number(),
  waId: z.string(),
  change: z.object({ kind: z.enum(changeKinds) }),
});

/**
 * Carries an edit, a deletion or a reaction to WhatsApp, after the message itself: both go in the chat's lane. It
 * carries the message as it is when it leaves, so that of several changes the last one stands, whatever was repeated.
 */
export function sendChange(findLine: FindLine): JobHandler {
  return async (job, deps) => {
    const { messageId, connectionId, waId, change } = changePayload.parse(job.payload);
    const found = await deps.inCompany(async (ctx) => {
      const leaving = await findLeavingChange(ctx, messageId);
      return leaving && { leaving, to: await findAddress(ctx, connectionId, leaving.contactId) };
    });
    const content = found && contentOf(change.kind, found.leaving);
    if (!found || !content) {
      return;
    }

    const { leaving, to } = found;
    if (job.attempt > sendTries) {
      // The process went away each time it was tried.
      await settle(deps, messageId, change.kind, "unknown");
      return;
    }
    try {
      if (!to) {
        throw new SendError("invalidContact", false);
      }
      await (findLine(connectionId)?.send(waId, to, content) ?? Promise.reject(new SendError("notConnected", true)));
    } catch (error) {
      deps.signal.throwIfAborted();
      const failure = sendErrorOf(error);
      const next = afterFailure(failure, job.attempt);
      if (next === "wait") {
        throw new Later(awayMs, "The line is away");
      }
      if (next === "again") {
        throw failure;
      }
      await settle(deps, messageId, change.kind, failure.reason);
      return;
    }
    if (leaving.failedKind === change.kind) {
      await settle(deps, messageId, change.kind, null);
    }
  };
}

/** Undefined when there is nothing to tell: the message has not left yet, or was deleted since it was edited. */
function contentOf(kind: ChangeKind, leaving: LeavingChange): Outbound | undefined {
  const { waId, fromMe, ack, body, isDeleted, mayHaveLeft, ownReaction } = leaving;
  // What was never on its way leaves with its new text, or not at all.
  if (fromMe && ack < 1 && !mayHaveLeft) {
    return undefined;
  }
  const target = { waId, fromMe, ...authorOf(leaving) };
  switch (kind) {
    case "edit":
      return isDeleted ? undefined : { kind, target, text: body };
    case "revoke":
      return { kind, target };
    case "reaction":
      return { kind, target, emoji: ownReaction };
  }
}

async function settle(deps: JobDeps, messageId: number, kind: ChangeKind, reason: SendFailure | null): Promise<void> {
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
