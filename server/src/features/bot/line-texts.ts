import { isBlank } from "@prosa/contract/blank";
import { connectionEventNames, loadConnection } from "#server/features/connections/index.ts";
import { queuesOf } from "#server/features/queues/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { wordsIn } from "./words.ts";
import type { AutomaticWords, BotLanguage } from "./words.ts";

/** What a connection says around a conversation, and in which language. */
export interface LineTexts {
  readonly language: BotLanguage;
  readonly words: AutomaticWords;
  readonly complation: string;
  readonly rating: string;
  readonly expiresInactive: string;
}

/** Events after which a connection's texts and choices are read again. */
export const connectionEvents = connectionEventNames
  .filter((happening) => happening !== "state")
  .map((happening) => `connection.${happening}`);

/** The texts of a connection, from memory. Throws ERR_NO_WAPP_FOUND. */
export function lineTextsOf(ctx: Ctx, connectionId: number): Promise<LineTexts> {
  return ctx.cached(textsOf(connectionId));
}

/** How a conversation ends: the queue's own texts, else the connection's. `complation` may be empty: then none is sent. */
export async function endingTexts(
  ctx: Ctx,
  connectionId: number,
  queueId: number | null,
): Promise<{ readonly complation: string; readonly rating: string }> {
  const line = await lineTextsOf(ctx, connectionId);
  const queue = (await queuesOf(ctx)).find(({ id }) => id === queueId);
  return {
    complation: firstOf(queue?.complationMessage, line.complation),
    rating: firstOf(queue?.ratingMessage, line.rating, line.words.rateUs),
  };
}

const textsOf = (connectionId: number): Cached<LineTexts> => ({
  name: `line texts ${connectionId}`,
  staleAfter: connectionEvents,
  async load(ctx) {
    const connection = await loadConnection(ctx, connectionId);
    return {
      language: connection.language,
      words: wordsIn(connection.language),
      complation: connection.complation_message,
      rating: connection.rating_message,
      expiresInactive: connection.expires_inactive_message,
    };
  },
});

function firstOf(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && !isBlank(text)) ?? "";
}
