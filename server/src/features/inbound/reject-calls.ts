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

/** Enqueues the rejection of ringing calls and asks each caller to write, once a call; neither where setting `call` is enabled (W-09). */
export async function rejectCalls(
  ctx: Ctx,
  connectionId: number,
  events: readonly LineEvent[],
  newMessages: readonly NewMessage[],
): Promise<void> {
  const ringing = events.filter((event): event is Call => event.type === "call" && event.state === "offered");
  if (ringing.length === 0 || (await isEnabled(ctx, "call"))) {
    return;
  }
  const { defaults, language } = await connectionTextsOf(ctx, connectionId);
  for (const { callId, person } of ringing) {
    const logged = newMessages.find(({ incoming, message }) => incoming.waId === `call:${callId}` && message.isNew);
    if (!logged) {
      continue;
    }
    const { phone, lid } = person;
    ctx.enqueue({
      task: REJECT_CALL_TASK.enqueuedAs,
      payload: { connectionId, callId, person: { phone, lid } },
      affinity: `line:${connectionId}`,
      key: `refuse:${connectionId}:${callId}`,
      // The call is ringing.
      priority: "bot",
    });
    const ticketId = logged.ticket.id;
    const facts = (await readChatFacts(ctx, [ticketId])).get(ticketId);
    const clientId = `refused:${connectionId}:${callId}`;
    const messages = [textMessage(defaults.noCalls)];
    await sendAutomaticMessage(ctx, { facts, language, messages, clientId });
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
