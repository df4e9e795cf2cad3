import type { Logger } from "pino";
import { setCoalescedInterval } from "../clock/index.ts";
import type { Db } from "../db/index.ts";
import { formatCursor, xmax } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import { readAfter, readPosition } from "./event-log.ts";
import type { RecordedEvent } from "./event-log.ts";
import { createPace } from "./pace.ts";

const POLL_MS = 1_000;
/** Of so many polls one reads while notifications arrive: they have told already what there is. */
const READ_ANYWAY = 5;
const PAGE = 1_000;

export interface TailOptions {
  readonly db: Db;
  /**
   * Called with each batch, in order and one at a time; `cursor` is the position after the batch. Each event is delivered
   * once to a running tail; events before `start` are not delivered.
   */
  readonly onEvents: (batch: readonly RecordedEvent[], cursor: string) => void | Promise<void>;
  /** The epoch of the database changed (restart, crash, restore): events may be missing, so clients must refetch. */
  readonly onReset: (cursor: string) => void | Promise<void>;
  readonly log: Logger;
}

export interface Tail {
  /** Resolves when the position is known: every event committed from then on will be delivered. */
  start(): Promise<void>;
  /** Resolves when all events committed before the call have been delivered. */
  catchUp(): Promise<void>;
  /** For how long the oldest event that is known here and not delivered has waited; 0 when there is none. */
  lagMs(): number;
  /** Position of the tail. Undefined before `start`. */
  cursor(): string | undefined;
  stop(): Promise<void>;
}

/**
 * Follows event_log over all companies, woken by NOTIFY and by a poll each second, or each five where NOTIFY arrives. What comes while a batch is delivered is
 * the next batch, and after a long one the tail rests: many small batches of one ticket become one of its newest version.
 */
export function createTail({ db, onEvents, onReset, log }: TailOptions): Tail {
  let position: Cursor | undefined;
  let reading: Promise<void> | undefined;
  let isRequested = false;
  let wokenAt: number | undefined;
  let readingSince: number | undefined;
  const pace = createPace();
  let stopPolling: (() => void) | undefined;
  let unsubscribe: (() => void) | undefined;

  async function readOn(): Promise<void> {
    while (isRequested) {
      await pace.rest();
      isRequested = false;
      [readingSince, wokenAt] = [wokenAt, undefined];
      try {
        await deliverNew();
      } catch (error) {
        // The database is away; the next poll retries in a second.
        log.warn({ err: error }, "event log not readable");
      }
      readingSince = undefined;
    }
    // Synchronous with the last check of isRequested, so that no wake-up is lost in between.
    reading = undefined;
  }

  async function deliverNew(): Promise<void> {
    if (!position) {
      position = await readPosition(db.systemRaw);
      return;
    }
    const first = await readAfter(db.systemRaw, { after: position, limit: PAGE });
    const { here } = first;
    if (here.epoch !== position.epoch || xmax(here.snapshot) < xmax(position.snapshot)) {
      log.warn({ from: position.epoch, to: here.epoch }, "database epoch changed; clients refetch");
      position = here;
      await callListener(() => onReset(formatCursor(here)));
      return;
    }

    let { events } = first;
    while (events.length === PAGE) {
      // A backlog: its pages follow ids and not snapshots, so only the old cursor is correct until its end.
      const [batch, old, afterId] = [events, position, events.at(-1)?.id ?? 0];
      await callListener(() => onEvents(batch, formatCursor(old)));
      ({ events } = await readAfter(db.systemRaw, { after: old, until: here.snapshot, afterId, limit: PAGE }));
    }
    position = here;
    if (events.length > 0) {
      await pace.measure(() => callListener(() => onEvents(events, formatCursor(here))));
    }
  }

  /** Logs a failing listener, so that the stream goes on. */
  async function callListener(deliver: () => void | Promise<void>): Promise<void> {
    try {
      await deliver();
    } catch (error) {
      log.error({ err: error }, "event listener failed");
    }
  }

  function wake(): void {
    isRequested = true;
    wokenAt ??= performance.now();
    reading ??= readOn();
  }

  return {
    async start() {
      position = await readPosition(db.systemRaw);
      unsubscribe = db.listenNotify.listen("events", wake);
      let polls = 0;
      stopPolling = setCoalescedInterval(() => {
        polls += 1;
        if (polls % READ_ANYWAY === 0 || !db.listenNotify.isHeard()) {
          wake();
        }
      }, POLL_MS);
    },
    async catchUp() {
      wake();
      pace.hurry();
      await reading;
    },
    lagMs() {
      const since = readingSince ?? wokenAt;
      return since === undefined ? 0 : performance.now() - since;
    },
    cursor: () => position && formatCursor(position),
    async stop() {
      unsubscribe?.();
      stopPolling?.();
      pace.hurry();
      await reading;
    },
  };
}
