import { isBlank } from "@prosa/contract/blank";
import { connectionEventNames, loadConnection } from "#server/features/connections/index.ts";
import { queuesOf } from "#server/features/queues/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { defaultTextsIn } from "./default-texts.ts";
import type { DefaultTexts, BotLanguage } from "./default-texts.ts";

/** The automatic texts of a connection, and their language. */
export interface ConnectionTexts {
  readonly language: BotLanguage;
  /** Used where the connection and the queue have no text of their own. */
  readonly defaults: DefaultTexts;
  readonly complation: string;
  readonly rating: string;
  readonly expiresInactive: string;
}

/** Events after which the cached texts and the bot script of a connection are loaded again. */
export const connectionEvents = connectionEventNames
  .filter((eventName) => eventName !== "state")
  .map((eventName) => `connection.${eventName}`);

/** The texts of a connection, cached. Throws ERR_NO_WAPP_FOUND. */
export function connectionTextsOf(ctx: Ctx, connectionId: number): Promise<ConnectionTexts> {
  return ctx.cached(cachedTexts(connectionId));
}

/** The farewell (`complation`) and the rating request: the queue's, else the connection's. An empty farewell is not sent. */
export async function farewellTexts(
  ctx: Ctx,
  connectionId: number,
  queueId: number | null,
): Promise<{ readonly complation: string; readonly rating: string }> {
  const texts = await connectionTextsOf(ctx, connectionId);
  const queue = (await queuesOf(ctx)).find(({ id }) => id === queueId);
  return {
    complation: firstNonBlank(queue?.complationMessage, texts.complation),
    rating: firstNonBlank(queue?.ratingMessage, texts.rating, texts.defaults.rateUs),
  };
}

const cachedTexts = (connectionId: number): Cached<ConnectionTexts> => ({
  name: `connection texts ${connectionId}`,
  staleAfter: connectionEvents,
  async load(ctx) {
    const connection = await loadConnection(ctx, connectionId);
    return {
      language: connection.language,
      defaults: defaultTextsIn(connection.language),
      complation: connection.complation_message,
      rating: connection.rating_message,
      expiresInactive: connection.expires_inactive_message,
    };
  },
});

function firstNonBlank(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && !isBlank(text)) ?? "";
}
