import type { AppError } from "../../ctx.ts";

/** The bucket that holds too few tokens for an attempt, and its error. */
export interface Refusal {
  readonly key: string;
  readonly error: AppError;
}

/**
 * Limits of failed attempts count an attempt before its outcome is known, so that a hundred at once count as a hundred.
 * So a bucket may be empty only because of attempts that will turn out to be right: one that finds it empty then waits for
 * their outcome instead of being refused. In the memory of this process; tokens that another process holds refuse.
 */
export interface Outcomes {
  /**
   * Takes tokens of these buckets by `take`, which takes none where it returns a refusal, and returns the function to call
   * when the outcome is known and the tokens are given back or not. Where one refuses and nobody else holds tokens of it,
   * returns its error; the same where `maxWaiting` wait for it already.
   */
  hold(
    keys: readonly string[],
    maxWaiting: number,
    take: () => Promise<Refusal | undefined>,
  ): Promise<{ readonly release: () => void } | { readonly refusal: AppError }>;
}

interface UnderWay {
  holders: number;
  /** First come, first served. */
  readonly waiting: (() => void)[];
}

export function createOutcomes(): Outcomes {
  const underWay = new Map<string, UnderWay>();

  function count(key: string, by: 1 | -1): void {
    const entry = underWay.get(key) ?? { holders: 0, waiting: [] };
    entry.holders += by;
    underWay.set(key, entry);
    forgetIdle(key, entry);
  }

  function forgetIdle(key: string, { holders, waiting }: UnderWay): void {
    if (holders === 0 && waiting.length === 0) {
      underWay.delete(key);
    }
  }

  /** Lets the first in the line of a bucket try. */
  function wakeFirst(key: string): void {
    const entry = underWay.get(key);
    if (entry) {
      entry.waiting.shift()?.();
      forgetIdle(key, entry);
    }
  }

  function end(keys: readonly string[]): void {
    keys.forEach((key) => count(key, -1));
    keys.forEach(wakeFirst);
  }

  /** Who was first in the line before is so again. */
  async function nextTurn({ waiting }: UnderWay, isFirst: boolean): Promise<void> {
    await new Promise<void>((resolve) => (isFirst ? waiting.unshift(resolve) : waiting.push(resolve)));
  }

  return {
    async hold(keys, maxWaiting, take) {
      let awaited: string | undefined;
      for (;;) {
        // Counted while it takes, so that of two at once the first to be refused waits for the other.
        keys.forEach((key) => count(key, 1));
        const refusal = await take().catch((error: unknown) => {
          end(keys);
          throw error;
        });
        if (!refusal) {
          if (awaited !== undefined) {
            // There may be tokens for the next in the line, too.
            wakeFirst(awaited);
          }
          return { release: () => end(keys) };
        }

        const { key, error } = refusal;
        const line = underWay.get(key);
        const isFirst = key === awaited;
        if (!line || line.holders <= 1 || (!isFirst && line.waiting.length >= maxWaiting)) {
          end(keys);
          return { refusal: error };
        }
        keys.forEach((each) => count(each, -1));
        if (awaited !== undefined && !isFirst) {
          wakeFirst(awaited);
        }
        awaited = key;
        await nextTurn(line, isFirst);
      }
    },
  };
}
