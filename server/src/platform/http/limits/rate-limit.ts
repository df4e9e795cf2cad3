import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock/index.ts";
import { AppError } from "../../ctx.ts";
import { createOutcomes } from "./await-outcomes.ts";
import type { Outcomes } from "./await-outcomes.ts";

export interface Rate {
  /** Size of the bucket: the burst. */
  readonly max: number;
  /** Time in which an empty bucket is refilled. */
  readonly perSeconds: number;
}

/** Token buckets in the memory of this process, for keys such as a client address where each process may count alone. */
export interface RateLimiter {
  /** Takes one token; throws ERR_TOO_MANY_REQUESTS (429, Retry-After) when the bucket is empty. */
  limit(key: string, rate: Rate): void;
  /** Returns one token, when the attempt turned out to be legitimate. */
  returnToken(key: string, rate: Rate): void;
  /**
   * Runs the attempts of one key one after the other, with a pause after each that throws or returns false. Slows
   * guessing down without locking anybody out. Throws ERR_TOO_MANY_REQUESTS when the queue of the key is full.
   */
  runInTurn<T>(key: string, pace: AttemptPace, attempt: () => Promise<T>): Promise<T>;
  /** Attempts whose outcome is not known yet, and those that wait for it. */
  readonly outcomes: Outcomes;
}

export interface AttemptPace {
  /** Maximum queue length. */
  readonly max: number;
  readonly pauseMs: number;
}

interface Lane {
  last: Promise<unknown>;
  count: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: 50_000 });
  const lanes = new Map<string, Lane>();
  return {
    outcomes: createOutcomes(),
    limit(key, rate) {
      const now = clock.now().getTime();
      const bucket = buckets.get(key) ?? { tokens: rate.max, at: now };
      const refilled = refill(bucket, rate, now);
      if (refilled < 1) {
        throw tooManyRequests(refilled, rate);
      }
      buckets.set(key, { tokens: refilled - 1, at: now });
    },
    returnToken(key, rate) {
      const bucket = buckets.get(key);
      if (bucket) {
        buckets.set(key, { ...bucket, tokens: Math.min(rate.max, bucket.tokens + 1) });
      }
    },
    async runInTurn(key, { max, pauseMs }, attempt) {
      const lane = lanes.get(key) ?? { last: Promise.resolve(), count: 0 };
      if (lane.count >= max) {
        throw new AppError("ERR_TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil((max * pauseMs) / 1000) });
      }
      lanes.set(key, lane);
      lane.count += 1;
      const result = lane.last.then(attempt);
      lane.last = result
        .catch(() => false)
        .then((isLegitimate) => (isLegitimate ? undefined : sleep(pauseMs, undefined, { ref: false })))
        .finally(() => {
          lane.count -= 1;
          if (lane.count === 0) {
            lanes.delete(key);
          }
        });
      return result;
    },
  };
}

/** One bucket alone, such as of a connection, in real time: takes a token; false where it is empty. */
export function createBucket(rate: Rate): () => boolean {
  let bucket = { tokens: rate.max, at: Date.now() };
  return () => {
    const now = Date.now();
    bucket = { tokens: refill(bucket, rate, now), at: now };
    const isFilled = bucket.tokens >= 1;
    bucket.tokens -= isFilled ? 1 : 0;
    return isFilled;
  };
}

/** Tokens in the bucket at `now`. */
export function refill(bucket: Readonly<Bucket>, rate: Rate, now: number): number {
  const seconds = Math.max(0, now - bucket.at) / 1000;
  return Math.min(rate.max, bucket.tokens + (seconds * rate.max) / rate.perSeconds);
}

export function tooManyRequests(tokens: number, rate: Rate, cost = 1): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(((cost - tokens) * rate.perSeconds) / rate.max));
  return new AppError("ERR_TOO_MANY_REQUESTS", { retryAfterSeconds });
}
