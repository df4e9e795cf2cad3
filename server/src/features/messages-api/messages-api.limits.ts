import { messagesApiRules } from "@prosa/contract";
import { enforceSharedLimit, returnSharedTokens } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";

const rate = { max: messagesApiRules.requestsPerMinute, perSeconds: 60 };

/** Counts what one connection's token asks for: new messages by themselves, so that look-ups and repeats take none of theirs. */
export interface ApiLimits {
  /** A new message. Throws ERR_TOO_MANY_REQUESTS. */
  takeSend(): Promise<void>;
  /** It turned out to be a repeat. */
  returnSend(): Promise<void>;
  /** A look-up, or a repeat, which is answered by one. Throws ERR_TOO_MANY_REQUESTS. */
  takeLookup(): Promise<void>;
}

export function createApiLimits(services: Pick<Services, "db" | "clock">, connectionId: number): ApiLimits {
  const sends = { key: `api:${connectionId}`, rate };
  return {
    takeSend: () => enforceSharedLimit(services, sends.key, rate),
    returnSend: () => returnSharedTokens(services, { returned: [sends], reset: [] }),
    takeLookup: () => enforceSharedLimit(services, `api-read:${connectionId}`, rate),
  };
}
