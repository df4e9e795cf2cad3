import { integrationRules } from "@prosa/contract";
import { callFailure, postPublic, retryAfterMs } from "#server/platform/net/index.ts";
import type { PostAnswer } from "#server/platform/net/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { IntegrationError } from "../protocols/index.ts";
import type { Caller } from "../protocols/index.ts";

/** Letters of an answer that the log keeps to read. */
const shownLetters = 500;

/** What the log notes of the calls of one turn: the last one, and the time of all. */
export interface CallFacts {
  readonly status: number | null;
  readonly answer: string | null;
  readonly durationMs: number;
}

export interface Refusal {
  /** Milliseconds (Retry-After); 0 where it does not say, or did not refuse. */
  readonly pauseMs: number;
  /** Nothing else was asked in this turn. */
  readonly isOfFirst: boolean;
}

/** Posts to systems whose addresses a user wrote: guarded against private networks, with a limit of time and size. */
export function createCaller(options: {
  readonly mayBePrivate: boolean;
  readonly signal: AbortSignal;
  /** Default: that of the contract. */
  readonly timeoutMs?: number;
}): {
  readonly caller: Caller;
  readonly facts: () => CallFacts;
  /** When the system that refused the last call wants to be asked again. */
  readonly refusal: (now: Date) => Refusal;
} {
  const { mayBePrivate, signal, timeoutMs = integrationRules.timeoutMs } = options;
  const began = performance.now();
  let last: PostAnswer | undefined;
  let calls = 0;
  const caller: Caller = {
    async post(url, { body, headers, isOperators = false }) {
      last = undefined;
      calls += 1;
      try {
        last = await postPublic(url, {
          headers: { "content-type": "application/json", accept: "application/json", ...own, ...headers },
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          mayBePrivate: mayBePrivate || isOperators,
          answerBytes: integrationRules.maxAnswer,
        });
      } catch (cause) {
        throw new IntegrationError(callFailure(cause), "", { cause });
      }
      if (last.isCut) {
        throw new IntegrationError("answer too large");
      }
      return last;
    },
  };
  return {
    caller,
    facts: () => ({
      status: last?.status ?? null,
      answer: last ? truncateText(last.text, shownLetters) : null,
      durationMs: Math.round(performance.now() - began),
    }),
    refusal: (now) => ({
      pauseMs: last && last.status >= 400 ? (retryAfterMs(last.retryAfter, now) ?? 0) : 0,
      isOfFirst: calls === 1,
    }),
  };
}

const own = { "user-agent": "Prosa-Integrations/1" } as const;
