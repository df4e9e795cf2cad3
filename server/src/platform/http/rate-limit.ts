import { LRUCache } from "lru-cache";
import type { Clock } from "../clock/index.ts";
import { AppError } from "../ctx.ts";

export interface Rate {
  /** Size of the bucket: how many at once. */
  readonly max: number;
  /** In this time an empty bucket is full again. */
  readonly perSeconds: number;
}

/** Token buckets in this process's memory: for keys such as a caller's address, where each process may count alone. */
export interface RateLimiter {
  /** Takes one token; throws ERR_TOO_MANY_REQUESTS (429, Retry-After) when the bucket is empty. */
  limit(key: string, rate: Rate): void;
  /** Puts one token back: what it was taken for turned out to be no attack. */
  giveBack(key: string, rate: Rate): void;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: 50_000 });
  return {
    limit(key, rate) {
      const now = clock.now().getTime();
      const bucket = buckets.get(key) ?? { tokens: rate.max, at: now };
      const refilled = refill(bucket, rate, now);
      if (refilled < 1) {
        throw tooMany(refilled, rate);
      }
      buckets.set(key, { tokens: refilled - 1, at: now });
    },
    giveBack(key, rate) {
      const bucket = buckets.get(key);
      if (bucket) {
        buckets.set(key, { ...bucket, tokens: Math.min(rate.max, bucket.tokens + 1) });
      }
    },
  };
}

/** Tokens that the bucket holds by now. */
export function refill(bucket: Readonly<Bucket>, rate: Rate, now: number): number {
  const seconds = Math.max(0, now - bucket.at) / 1000;
  return Math.min(rate.max, bucket.tokens + (seconds * rate.max) / rate.perSeconds);
}

export function tooMany(tokens: number, rate: Rate): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(((1 - tokens) * rate.perSeconds) / rate.max));
  return new AppError("ERR_TOO_MANY_REQUESTS", { retryAfterSeconds });
}
