import type { BodyOf, botPreview } from "@prosa/contract";
import { isEnabled } from "#server/features/settings/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { textMessage } from "../bot.script.ts";
import type { BotDecision, BotMessage, BotScript, BotState, Said } from "../bot.script.ts";
import { endingTexts } from "../connection-texts.ts";
import { decideTransfer, decideTurn, stateOfNewEpisode } from "../engine/index.ts";
import { readAfterEnd } from "../rating/index.ts";

const hourMs = 3_600_000;

/** What happens next in a previewed conversation. */
export interface PreviewEvent {
  readonly event: BodyOf<typeof botPreview.turn>["event"];
  /** What the customer writes, at the time of the event. */
  readonly said: Said;
  readonly connectionId: number | undefined;
}

export interface PlayedEvent {
  readonly state: BotState;
  readonly messages: readonly BotMessage[];
  readonly outcome: BotDecision["outcome"] | "closed";
  readonly rating: 1 | 2 | 3 | null;
  readonly at: Date;
}

/** Plays a message, an hour that passes, or a ticket that an agent resolves, with the rules of the line. */
export async function playEvent(
  ctx: Ctx,
  script: BotScript,
  state: BotState,
  { event, said, connectionId }: PreviewEvent,
): Promise<PlayedEvent> {
  const { at } = said;
  switch (event) {
    case "message":
      return state.place === "rating" || state.place === "ended"
        ? playAfterEnd(ctx, script, state, said, connectionId)
        : { ...decideTurn(script, state, { said: [said], at }), rating: null, at };
    case "hourLater": {
      const later = new Date(at.getTime() + hourMs);
      const isClosed = state.place === "rating" || state.place === "ended";
      const decision = decideTransfer(script, state, later);
      return { ...decision, outcome: isClosed ? "closed" : decision.outcome, rating: null, at: later };
    }
    case "resolved":
      return resolve(ctx, state, at, connectionId);
  }
}

/** An agent resolves the ticket: the contact is asked for a rating, or gets the farewell. */
async function resolve(ctx: Ctx, before: BotState, at: Date, connectionId: number | undefined): Promise<PlayedEvent> {
  const asksRating = await isEnabled(ctx, "userRating");
  const { rating, complation } = await endingTexts(ctx, connectionId, before.queueId);
  const ended: BotState = {
    ...stateOfNewEpisode(before, at),
    place: asksRating ? "rating" : "ended",
    queueId: before.queueId,
    answeredAt: at.toISOString(),
  };
  return closed(ended, asksRating ? rating : complation, at);
}

/** The customer writes to the resolved ticket (behaviour 5, rule 2). */
async function playAfterEnd(
  ctx: Ctx,
  script: BotScript,
  state: BotState,
  said: Said,
  connectionId: number | undefined,
): Promise<PlayedEvent> {
  const { at } = said;
  const finishedAt = state.answeredAt === null ? null : new Date(state.answeredAt);
  const ratingAskedAt = state.place === "rating" ? finishedAt : null;
  const { rating, opens } = readAfterEnd([said], { finishedAt, ratingAskedAt, rating: null });
  if (opens) {
    return {
      ...decideTurn(script, stateOfNewEpisode(state, at), { said: [said], at }),
      rating: rating?.value ?? null,
      at,
    };
  }
  if (!rating) {
    return closed(state, "", at);
  }
  const { thanks } = await endingTexts(ctx, connectionId, state.queueId);
  return { ...closed({ ...state, place: "ended" }, thanks, at), rating: rating.value };
}

function closed(state: BotState, text: string, at: Date): PlayedEvent {
  return { state, messages: text === "" ? [] : [textMessage(text)], outcome: "closed", rating: null, at };
}
