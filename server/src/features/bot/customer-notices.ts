import { truncateToSecond } from "#server/features/messages/index.ts";
import { isEnabled } from "#server/features/settings/index.ts";
import { markRatingAsked } from "#server/features/tickets/index.ts";
import type { SendCustomerNotice, TicketMoveByUser } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobPriority } from "#server/platform/job-priority.ts";
import { readChatFacts } from "./bot.queries.ts";
import { endingTexts, connectionTextsOf } from "./connection-texts.ts";
import type { ConnectionTexts } from "./connection-texts.ts";
import { textMessage } from "./bot.script.ts";
import type { AssistantKinds } from "./bot.script.ts";
import { closedSentence, loadScript } from "./engine/index.ts";
import { sendAutomaticMessage } from "./send-automatic-message.ts";

type Ticket = TicketMoveByUser["after"] & { readonly connectionId: number; readonly priority: JobPriority };

/**
 * Sends the notice to the contact when a user accepts, transfers or resolves their ticket. Groups get none. Resolves to whether one
 * was sent. `assistants`: kinds that this process can ask, by which the bot's script is loaded.
 */
export function customerNotices(assistants: AssistantKinds): SendCustomerNotice {
  return async (ctx, { verb, before, after }, priority = "notice") => {
    const { connectionId } = after;
    if (connectionId === null || after.isGroup) {
      return false;
    }
    const ticket = { ...after, connectionId, priority };
    switch (verb) {
      case "accept":
        return sendIntroduction(ctx, ticket);
      case "transfer":
        return before.queueId === after.queueId && before.userId === after.userId
          ? false
          : sendTransferNotice(ctx, ticket, assistants);
      case "resolve":
        return sendFarewell(ctx, ticket);
      case "return":
      case "reopen":
        return false;
    }
  };
}

/** The name of the user who accepted the ticket, if the setting is on (T-13). */
async function sendIntroduction(ctx: Ctx, ticket: Ticket): Promise<boolean> {
  return (await isEnabled(ctx, "sendGreetingAccepted")) && send(ctx, ticket, ({ defaults }) => defaults.accepted);
}

/**
 * The user or the queue that the ticket was transferred to, if the setting is on (T-14). Who goes to a closed queue is told its hours
 * and not to wait a moment; a user who was chosen is there, or answers when they are.
 */
async function sendTransferNotice(ctx: Ctx, ticket: Ticket, assistants: AssistantKinds): Promise<boolean> {
  if (!(await isEnabled(ctx, "sendMsgTransfTicket"))) {
    return false;
  }
  if (ticket.userId !== null) {
    return send(ctx, ticket, ({ defaults }) => defaults.transferred("agent", null));
  }
  const script = await loadScript(ctx, ticket.connectionId, assistants);
  const closed = closedSentence(script, ticket.queueId, ctx.now());
  const to = ticket.queueId === null ? null : "queue";
  return send(ctx, ticket, ({ defaults }) => defaults.transferred(to, closed));
}

/** The farewell, or the rating request if ratings are enabled: then the farewell follows the rating. */
async function sendFarewell(ctx: Ctx, ticket: Ticket): Promise<boolean> {
  const asksRating = await isEnabled(ctx, "userRating");
  const { complation, rating } = await endingTexts(ctx, ticket.connectionId, ticket.queueId);
  const text = asksRating ? rating : complation;
  if (text === "") {
    return false;
  }
  const wasSent = await send(ctx, ticket, () => text);
  if (asksRating && wasSent && ticket.episodeId !== null) {
    // WhatsApp's times are whole seconds: a rating of the same second must come after the request.
    await markRatingAsked(ctx, ticket.episodeId, truncateToSecond(ctx.now()));
  }
  return wasSent;
}

async function send(
  ctx: Ctx,
  { id, connectionId, priority }: Ticket,
  textFor: (texts: ConnectionTexts) => string,
): Promise<boolean> {
  const texts = await connectionTextsOf(ctx, connectionId);
  const facts = (await readChatFacts(ctx, [id])).get(id);
  if (!facts) {
    return false;
  }
  const messages = [textMessage(textFor(texts))];
  return sendAutomaticMessage(ctx, { facts, language: texts.language, messages, priority });
}
