/** Below this a batch costs too little to save another one. */
const WORTH_MS = 10;
/** The most that a rest adds to the delay of an event. */
const MAX_REST_MS = 20;

/** How long the tail rests after a batch, so that while events keep coming, more of them are in one batch. */
export function restAfter(batchMs: number): number {
  return batchMs < WORTH_MS ? 0 : Math.min(batchMs, MAX_REST_MS);
}

export interface Pace {
  /** Runs the delivery of a batch; its time decides how long the next `rest` is. */
  measure(deliver: () => Promise<void>): Promise<void>;
  /** Resolves when the rest after the last batch is over: at once, unless it has just ended. */
  rest(): Promise<void>;
  /** Ends a rest: somebody waits for all that is there. */
  hurry(): void;
}

export function createPace(): Pace {
  let restUntil = 0;
  let end: (() => void) | undefined;
  return {
    async measure(deliver) {
      const began = performance.now();
      await deliver();
      const ended = performance.now();
      restUntil = ended + restAfter(ended - began);
    },
    async rest() {
      const left = restUntil - performance.now();
      if (left > 0) {
        await new Promise<void>((resolve) => {
          end = resolve;
          setTimeout(resolve, left);
        });
      }
    },
    hurry() {
      restUntil = 0;
      end?.();
    },
  };
}
