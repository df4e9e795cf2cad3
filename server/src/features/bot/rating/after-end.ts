import { asksBesideRating, isThanks, readRating } from "../answers/index.ts";
import type { Said } from "../bot.script.ts";

/** Behaviour 5, rule 2: ratings are read this long after the rating request, and thanks this long after the end. */
const windowMs = 30 * 60_000;

/** How a conversation ended. */
export interface Ending {
  readonly finishedAt: Date | null;
  /** Null where no rating was asked for. */
  readonly ratingAskedAt: Date | null;
  readonly rating: number | null;
}

/** What a contact said after an agent resolved the ticket. */
export interface AfterEnd {
  readonly rating: {
    readonly value: 1 | 2 | 3;
    readonly index: number;
    /** The same message asks for something: it opens the conversation that it rates the end of. */
    readonly asks: boolean;
  } | null;
  /** Something else than a rating and thanks: a new conversation begins. */
  readonly opens: boolean;
}

/**
 * Reads messages to a closed ticket, in order (behaviour 5, rule 2): a rating that was asked for, thanks that need no
 * answer, or the begin of a new conversation, after which nothing is a rating; one message may be both (decision 0143). Pure.
 */
export function readAfterEnd(said: readonly Omit<Said, "messageId">[], ending: Ending): AfterEnd {
  const isBareRating = (each: Omit<Said, "messageId">) =>
    ratingIn(each, ending) !== undefined && !asksBesideRating(each.text);
  const opening = said.findIndex((each) => !isBareRating(each) && !isCourtesy(each, ending));
  const until = opening === -1 ? said : said.slice(0, opening + 1);
  const index = until.findIndex((each) => ratingIn(each, ending) !== undefined);
  const value = until[index] && ratingIn(until[index], ending);
  return { rating: value ? { value, index, asks: index === opening } : null, opens: opening !== -1 };
}

/** True within the window after the rating request. */
export function isRatingTime(askedAt: Date | null, at: Date): boolean {
  return askedAt !== null && at >= askedAt && at.getTime() - askedAt.getTime() <= windowMs;
}

/** True within the window after the end; also shortly before it, because of messages that were on their way. */
export function isThanksTime(finishedAt: Date | null, at: Date): boolean {
  return finishedAt !== null && at.getTime() - finishedAt.getTime() <= windowMs;
}

function ratingIn(
  { kind, text, at }: Omit<Said, "messageId">,
  { ratingAskedAt, rating }: Ending,
): 1 | 2 | 3 | undefined {
  const isAwaited = rating === null && kind === "chat" && isRatingTime(ratingAskedAt, at);
  return isAwaited ? readRating(text) : undefined;
}

/** Thanks, an emoji, a sticker or the same rating again soon after the end; also what was written just before it. */
function isCourtesy({ kind, text, at }: Omit<Said, "messageId">, { finishedAt, rating }: Ending): boolean {
  const isAgain = rating !== null && readRating(text) === rating && !asksBesideRating(text);
  const isSaid = isThanks(text) || isAgain;
  return isThanksTime(finishedAt, at) && (kind === "sticker" || (kind === "chat" && isSaid));
}
