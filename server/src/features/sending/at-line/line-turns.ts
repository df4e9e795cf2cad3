import { sendingConstants } from "@prosa/contract";

/** Keeps the floor between what a line sends in bulk, whatever time the jobs lost on their way. */
export interface LineTurns {
  /** Milliseconds to wait; 0: it is this message's turn, until `end`. */
  take(connectionId: number, now: Date): number;
  /** The message was sent or failed: the next turn begins after the floor. */
  end(connectionId: number, now: Date): void;
}

/**
 * One process sends for a line, so its memory is enough. After a restart what was queued may be sent at once, but for this; the
 * pace of the database spaced the decisions, not what came of them.
 */
export function createLineTurns(): LineTurns {
  const nextAt = new Map<number, number>();
  return {
    take(connectionId, now) {
      const next = nextAt.get(connectionId) ?? 0;
      if (next > now.getTime()) {
        return Math.min(next - now.getTime(), sendingConstants.floorGapMs);
      }
      nextAt.set(connectionId, Number.POSITIVE_INFINITY);
      return 0;
    },
    end(connectionId, now) {
      nextAt.set(connectionId, now.getTime() + sendingConstants.floorGapMs);
    },
  };
}
