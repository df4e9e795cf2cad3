import { isBlank } from "@prosa/contract/blank";
import { companyProfileOf } from "#server/features/companies/index.ts";
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
export const connectionEvents = connectionEventNames.map((eventName) => `connection.${eventName}`);

/** The texts of a connection, cached. Throws ERR_NO_WAPP_FOUND. */
export function connectionTextsOf(ctx: Ctx, connectionId: number): Promise<ConnectionTexts> {
  return ctx.cached(cachedTexts(connectionId));
}

/** What is said when a conversation ends. */
export interface EndingTexts {
  /** After a resolve; empty: nothing is sent. */
  readonly complation: string;
  /** The rating request. */
  readonly rating: string;
  /** After a rating. */
  readonly thanks: string;
}

/**
 * The queue's texts, else the connection's, else the default ones; there is no default farewell. Without a connection, as in
 * the preview of a queue, the default texts are in the company's language.
 */
export async function endingTexts(
  ctx: Ctx,
  connectionId: number | undefined,
  queueId: number | null,
): Promise<EndingTexts> {
  const texts = connectionId === undefined ? undefined : await connectionTextsOf(ctx, connectionId);
  const defaults = texts?.defaults ?? defaultTextsIn((await companyProfileOf(ctx)).language);
  const queue = (await queuesOf(ctx)).find(({ id }) => id === queueId);
  const complation = firstNonBlank(queue?.complationMessage, texts?.complation);
  return {
    complation,
    rating: firstNonBlank(queue?.ratingMessage, texts?.rating, defaults.rateUs),
    thanks: firstNonBlank(complation, defaults.closed),
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
