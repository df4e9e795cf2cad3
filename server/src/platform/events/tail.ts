import type { Logger } from "pino";
import type { Db } from "../db/index.ts";
import { formatCursor, xmax } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import { readAfter, readPosition } from "./event-log.ts";
import type { RecordedEvent } from "./event-log.ts";

const POLL_MS = 1_000;
const PAGE = 1_000;

export interface TailOptions {
  readonly db: Db;
  /**
   * Called with each batch, in order and one at a time. Whoever has seen the batch continues at `cursor`.
   * A batch is delivered once to a running tail; events of before `start` are not delivered.
   */
  readonly onEvents: (batch: readonly RecordedEvent[], cursor: string) => void | Promise<void>;
  /** The database began a new life (restart, crash, restore): events may be missing, everybody must fetch anew. */
  readonly onReset: (cursor: string) => void | Promise<void>;
  readonly log: Logger;
}

export interface Tail {
  /** Resolves when the place is known: every event committed from now on will be delivered. */
  start(): Promise<void>;
  /** Resolves when all that was committed before the call has been delivered. */
  catchUp(): Promise<void>;
  /** Where the tail is. Undefined before `start`. */
  cursor(): string | undefined;
  stop(): Promise<void>;
}

/** Follows event_log over all companies: woken by commits of this process and of others, with a poll as the net. */
export function createTail({ db, onEvents, onReset, log }: TailOptions): Tail {
  let place: Cursor | undefined;
  let reading: Promise<void> | undefined;
  let isWanted = false;
  let poll: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  async function readOn(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      try {
        await deliverNew();
      } catch (error) {
        // The database is away: the next poll comes in a second.
        log.warn({ err: error }, "the event log cannot be read");
      }
    }
    // In the same step as the last look at isWanted: a wake-up between the two would be lost.
    reading = undefined;
  }

  async function deliverNew(): Promise<void> {
    if (!place) {
      place = await readPosition(db.systemRaw);
      return;
    }
    const first = await readAfter(db.systemRaw, { after: place, limit: PAGE });
    const { here } = first;
    if (here.epoch !== place.epoch || xmax(here.snapshot) < xmax(place.snapshot)) {
      log.warn({ from: place.epoch, to: here.epoch }, "the database began a new life; everybody fetches anew");
      place = here;
      await hand(() => onReset(formatCursor(here)));
      return;
    }

    let { events } = first;
    while (events.length === PAGE) {
      // A backlog: inside it only the old cursor is true, because pages follow ids and not snapshots.
      const [batch, old, afterId] = [events, place, events.at(-1)?.id ?? 0];
      await hand(() => onEvents(batch, formatCursor(old)));
      ({ events } = await readAfter(db.systemRaw, { after: old, until: here.snapshot, afterId, limit: PAGE }));
    }
    place = here;
    if (events.length > 0) {
      await hand(() => onEvents(events, formatCursor(here)));
    }
  }

  /** A listener that fails must not stop the stream for the others. */
  async function hand(deliver: () => void | Promise<void>): Promise<void> {
    try {
      await deliver();
    } catch (error) {
      log.error({ err: error }, "events were read but could not be handed on");
    }
  }

  function wake(): void {
    isWanted = true;
    reading ??= readOn();
  }

  return {
    async start() {
      place = await readPosition(db.systemRaw);
      unsubscribe = db.listenNotify.listen("events", wake);
      poll = setInterval(wake, POLL_MS).unref();
    },
    async catchUp() {
      wake();
      await reading;
    },
    cursor: () => place && formatCursor(place),
    async stop() {
      unsubscribe?.();
      clearInterval(poll);
      await reading;
    },
  };
}
