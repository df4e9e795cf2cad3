import { z } from "zod";
import { connectionTextsOf, readChatFacts, sendAutomaticMessage, textMessage } from "#server/features/bot/index.ts";
import { isEnabled } from "#server/features/settings/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { renamedTask } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Line, LineEvent } from "#server/whatsapp/port.ts";
import type { NewMessage } from "./chat-activity.ts";

export const REJECT_CALL_TASK = renamedTask("calls.reject", { formerName: "calls.refuse", since: "0.2.0" });

type Call = Extract<LineEvent, { type: "call" }>;

/** A call rings for a minute; the other one is for clocks that differ (ms). */
const ringsForMs = 2 * 60_000;

/**
 * Enqueues the rejection of ringing calls and asks their callers to write; neither where setting `call` is enabled (W-09). Calls that
 * were made while the line was away are answered no more. A group's call rings on: it is for its members, and its caller has not called the line.
 */
export async function rejectCalls(
  ctx: Ctx,
  connectionId: number,
  events: readonly LineEvent[],
  newMessages: readonly NewMessage[],
): Promise<void> {
  const calls = events.filter((event): event is Call => event.type === "call");
  const since = ctx.now().getTime() - ringsForMs;
  const recent = calls.filter(({ state, isGroup, at }) => state === "offered" && !isGroup && at.getTime() > since);
  if (recent.length === 0 || (await isEnabled(ctx, "call"))) {
    return;
  }
  const { defaults, language } = await connectionTextsOf(ctx, connectionId);
  const answered = new Set<number>();
  for (const { callId, person } of recent) {
    const logged = newMessages.find(({ incoming, message }) => incoming.waId === `call:${callId}` && message.isNew);
    if (!logged) {
      continue;
    }
    if (calls.every((call) => call.callId !== callId || call.state === "offered")) {
      const { phone, lid } = person;
      ctx.enqueue({
        task: REJECT_CALL_TASK.enqueuedAs,
        payload: { connectionId, callId, person: { phone, lid } },
        affinity: `line:${connectionId}`,
        key: `refuse:${connectionId}:${callId}`,
        // The call is ringing.
        priority: "bot",
      });
    }
    const ticketId = logged.ticket.id;
    if (!answered.has(ticketId)) {
      answered.add(ticketId);
      const facts = (await readChatFacts(ctx, [ticketId])).get(ticketId);
      const clientId = `refused:${connectionId}:${callId}`;
      const messages = [textMessage(defaults.noCalls)];
      await sendAutomaticMessage(ctx, { facts, language, messages, clientId });
    }
  }
}

/** Rejects the call on its line; does nothing where the line has disconnected meanwhile. */
export function rejectCall(findLine: (connectionId: number) => Line | undefined): JobHandler {
  return async (job) => {
    const { connectionId, callId, person } = rejection.parse(job.payload);
    await findLine(connectionId)?.rejectCall(callId, person);
  };
}

const rejection = z.object({
  connectionId: z.number(),
  callId: z.string(),
  person: z.object({ phone: z.string().nullable(), lid: z.string().nullable() }),
});
