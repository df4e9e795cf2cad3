import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";

export type Topic = "events" | "jobs";

/** Tells tails and job runners, here and in other processes, that a commit left something for them. */
export interface ListenNotify {
  /** Call after the commit. Never inside the transaction: NOTIFY there makes commits wait for each other. */
  notify(topics: Readonly<Partial<Record<Topic, boolean>>>): void;
  /** Returns the function that ends the subscription. */
  listen(topic: Topic, listener: () => void): () => void;
  /**
   * Says a word to every other process, at most 7 kB. It is never stored and may be lost: for what is renewed anyway.
   * Call it rarely: each one costs a commit's worth of the lock behind NOTIFY.
   */
  broadcast(words: string): Promise<void>;
  /** Hears what other processes whisper. Returns the function that ends the subscription. */
  onBroadcast(listener: (words: string) => void): () => void;
  /** Resolves when the wake-ups of other processes are heard, if anybody subscribed. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const CHANNEL = "prosa_wake";
const WHISPERS = "prosa_whisper";
const AT_MOST_EVERY_MS = 5;
const RECONNECT_MS = 500;
const NOTIFY = { name: "wakeups_notify", text: "select pg_notify($1, $2)" };
const TOPICS: readonly Topic[] = ["events", "jobs"];

export function createListenNotify({ url, pool, log }: { url: string; pool: pg.Pool; log: Logger }): ListenNotify {
  const me = randomBytes(6).toString("hex");
  const listeners = { events: new Set<() => void>(), jobs: new Set<() => void>() };
  const whispered = new Set<(words: string) => void>();
  const fire = {
    events: throttle(AT_MOST_EVERY_MS, () => listeners.events.forEach((listener) => listener())),
    jobs: throttle(AT_MOST_EVERY_MS, () => listeners.jobs.forEach((listener) => listener())),
  };
  const unsent = new Set<Topic>();
  const notify = throttle(AT_MOST_EVERY_MS, async () => {
    const payload = [me, ...unsent].join(" ");
    unsent.clear();
    // Lost when the database is away: the poll of the listeners is the net.
    await pool.query({ ...NOTIFY, values: [CHANNEL, payload] }).catch(() => undefined);
  });

  let ear: ReturnType<typeof listen> | undefined;
  let isClosed = false;

  function openEar(): void {
    ear ??= listen({
      url,
      log,
      hear: (from, heard) => from !== me && heard.forEach((each) => fire[each]()),
      overhear: (from, words) => from !== me && whispered.forEach((listener) => listener(words)),
    });
  }

  return {
    notify(topics) {
      const wanted = TOPICS.filter((topic) => topics[topic]);
      if (wanted.length === 0 || isClosed) {
        return;
      }
      for (const topic of wanted) {
        fire[topic]();
        unsent.add(topic);
      }
      notify();
    },
    listen(topic, listener) {
      listeners[topic].add(listener);
      openEar();
      return () => listeners[topic].delete(listener);
    },
    async broadcast(words) {
      if (!isClosed) {
        await pool.query({ ...NOTIFY, values: [WHISPERS, `${me} ${words}`] }).catch(() => undefined);
      }
    },
    onBroadcast(listener) {
      whispered.add(listener);
      openEar();
      return () => whispered.delete(listener);
    },
    async ready() {
      await ear?.connecting;
    },
    async close() {
      isClosed = true;
      await ear?.close();
    },
  };
}

interface Hearing {
  readonly url: string;
  readonly log: Logger;
  readonly hear: (from: string, topics: Topic[]) => void;
  readonly overhear: (from: string, words: string) => void;
}

/** Keeps one connection that listens, for ever; after a gap all topics are heard, because some may have been missed. */
function listen({ url, log, hear, overhear }: Hearing) {
  let isClosed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function connect() {
    const next = new pg.Client({ connectionString: url, application_name: "prosa_wake", keepAlive: true });
    client = next;
    let isLost = false;
    const lost = (error?: Error) => {
      if (!isLost && !isClosed) {
        isLost = true;
        log.debug({ err: error }, "listening connection lost");
        retry = setTimeout(() => void connect(), RECONNECT_MS).unref();
      }
    };
    next.on("error", lost);
    next.on("end", () => lost());
    next.on("notification", ({ channel, payload = "" }) => {
      if (channel === WHISPERS) {
        const space = payload.indexOf(" ");
        overhear(payload.slice(0, space), payload.slice(space + 1));
        return;
      }
      const [from = "", ...topics] = payload.split(" ");
      hear(
        from,
        TOPICS.filter((topic) => topics.includes(topic)),
      );
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}; listen ${WHISPERS}`);
      hear("", [...TOPICS]);
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
      await next.end().catch(() => undefined);
    }
  }

  const connecting = connect();
  return {
    connecting,
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}

/** The first call runs at once, later ones at most each `ms`, never two at a time; the last call is never lost. */
export function throttle(ms: number, work: () => void | Promise<void>): () => void {
  let isBusy = false;
  let isWanted = false;

  async function run() {
    isBusy = true;
    do {
      isWanted = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, ms).unref());
    } while (isWanted);
    isBusy = false;
  }

  return () => {
    isWanted = true;
    if (!isBusy) {
      void run();
    }
  };
}
