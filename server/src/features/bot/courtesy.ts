import { truncateToSecond } from "#server/features/messages/index.ts";
import { isEnabled } from "#server/features/settings/index.ts";
import { markRatingAsked } from "#server/features/tickets/index.ts";
import type { SendCustomerNotice, TicketMoveByUser } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { readChatFacts } from "./bot.queries.ts";
import type { ChatFacts } from "./bot.queries.ts";
import { endingTexts, lineTextsOf } from "./line-texts.ts";
import type { LineTexts } from "./line-texts.ts";
import { say, textMessage } from "./say.ts";

type Ticket = TicketMoveByUser["after"] & { readonly connectionId: number };

/** What contacts are told when a person accepts, transfers or resolves their ticket. Groups are told nothing. */
export const courtesy: SendCustomerNotice = async (ctx, { verb, before, after }) => {
  const { connectionId } = after;
  if (connectionId === null || after.isGroup) {
    return;
  }
  const ticket = { ...after, connectionId };
  switch (verb) {
    case "accept":
      return introduce(ctx, ticket);
    case "transfer":
      return before.queueId === after.queueId && before.userId === after.userId
        ? undefined
        : announceTransfer(ctx, ticket);
    case "resolve":
      return sayFarewell(ctx, ticket);
    case "return":
    case "reopen":
      return undefined;
  }
};

/** Who is writing from now on (T-13). */
async function introduce(ctx: Ctx, ticket: Ticket): Promise<void> {
  if (await isEnabled(ctx, "sendGreetingAccepted")) {
    await tell(ctx, ticket, ({ words }, { userName }) => words.accepted(userName ?? ""));
  }
}

/** Whom the contact will hear from next (T-14). */
async function announceTransfer(ctx: Ctx, ticket: Ticket): Promise<void> {
  if (await isEnabled(ctx, "sendMsgTransfTicket")) {
    await tell(ctx, ticket, ({ words }, { userName, queueName }) => words.transferred(userName ?? queueName));
  }
}

/** The last word, or, where ratings are on, the question how it was: then the last word follows the answer. */
async function sayFarewell(ctx: Ctx, ticket: Ticket): Promise<void> {
  const isAsking = await isEnabled(ctx, "userRating");
  const { complation, rating } = await endingTexts(ctx, ticket.connectionId, ticket.queueId);
  const text = isAsking ? rating : complation;
  if (text === "") {
    return;
  }
  const wasSaid = await tell(ctx, ticket, () => text);
  if (isAsking && wasSaid && ticket.episodeId !== null) {
    // Answers carry whole seconds: one of the same second comes after the question.
    await markRatingAsked(ctx, ticket.episodeId, truncateToSecond(ctx.now()));
  }
}

async function tell(
  ctx: Ctx,
  { id, connectionId }: Ticket,
  words: (line: LineTexts, facts: ChatFacts) => string,
): Promise<boolean> {
  const line = await lineTextsOf(ctx, connectionId);
  const facts = (await readChatFacts(ctx, [id])).get(id);
  return facts ? say(ctx, { facts, language: line.language, messages: [textMessage(words(line, facts))] }) : false;
}
