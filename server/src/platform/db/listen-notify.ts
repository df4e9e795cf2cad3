import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import pg from "pg";
import type { Logger } from "pino";
import { setCoalescedInterval } from "../clock/index.ts";

export type Topic = "events" | "jobs";

/** Wakes event tails and job runners of all processes after a commit, by PostgreSQL LISTEN/NOTIFY. */
export interface ListenNotify {
  /** Call after the commit. NOTIFY inside a transaction would serialize all commits. */
  notify(topics: Readonly<Partial<Record<Topic, boolean>>>): void;
  /** Returns the function that ends the subscription. */
  listen(topic: Topic, listener: () => void): () => void;
  /**
   * Sends a text of at most 7 kB to every other process. It is never stored and may be lost. Call it rarely: each call
   * takes the global lock of NOTIFY.
   */
  broadcast(text: string): Promise<void>;
  /** Receives the broadcasts of other processes. Returns the function that ends the subscription. */
  onBroadcast(listener: (text: string) => void): () => void;
  /** Resolves when LISTEN is active, if anybody subscribed. */
  ready(): Promise<void>;
  /**
   * Whether notifications arrive: the connection has heard the last one of this process. False where a proxy between swallows
   * them; whoever only polls for what NOTIFY may have lost, polls less often while it is true.
   */
  isHeard(): boolean;
  close(): Promise<void>;
}

const CHANNEL = "prosa_wake";
const BROADCAST_CHANNEL = "prosa_whisper";
const THROTTLE_MS = 5;
/** Other processes hear less often than this one: each NOTIFY is a statement, a transaction and a global lock. */
const NOTIFY_THROTTLE_MS = 20;
const RECONNECT_MS = 500;
/** A notification comes back within milliseconds; one that does not is lost. */
const ECHO_WITHIN_MS = 1_000;
/** A firewall drops an idle connection without a word, and TCP would not notice for hours. */
const CHECK_MS = 60_000;
const NOTIFY = { name: "wakeups_notify", text: "select pg_notify($1, $2)" };
const TOPICS: readonly Topic[] = ["events", "jobs"];

export interface ListenNotifyOptions {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** How often the connection is checked. */
  readonly checkMs?: number;
}

/** Connects when somebody subscribes. A connection that is not heard is replaced within two checks. */
export function createListenNotify({ url, pool, log, checkMs = CHECK_MS }: ListenNotifyOptions): ListenNotify {
  const processId = randomBytes(6).toString("hex");
  const listeners = { events: new Set<() => void>(), jobs: new Set<() => void>() };
  const broadcastListeners = new Set<(text: string) => void>();
  const fire = {
    events: throttle(THROTTLE_MS, () => listeners.events.forEach((listener) => listener())),
    jobs: throttle(THROTTLE_MS, () => listeners.jobs.forEach((listener) => listener())),
  };
  const unsent = new Set<Topic>();
  /** When the oldest notification was sent whose echo has not come; undefined if there is none. */
  let unheardSince: number | undefined;
  const notify = throttle(NOTIFY_THROTTLE_MS, async () => {
    const payload = [processId, ...unsent].join(" ");
    unsent.clear();
    unheardSince ??= performance.now();
    // Lost while the database is away; listeners also poll.
    await pool.query({ ...NOTIFY, values: [CHANNEL, payload] }).catch(() => undefined);
  });

  let subscription: ReturnType<typeof listen> | undefined;
  let stopChecking: (() => void) | undefined;
  let isClosed = false;

  function isHeard(): boolean {
    const isEchoLate = unheardSince !== undefined && performance.now() - unheardSince > ECHO_WITHIN_MS;
    return subscription?.isListening() === true && !isEchoLate;
  }

  function openSubscription(): void {
    stopChecking ??= setCoalescedInterval(() => (isHeard() ? notify() : subscription?.renew()), checkMs);
    subscription ??= listen({
      url,
      log,
      onTopics(from, topics) {
        if (from === processId) {
          unheardSince = undefined;
        } else {
          topics.forEach((each) => fire[each]());
        }
      },
      // Its echo tells whether notifications arrive; one that the connection before missed never comes.
      onListening() {
        unheardSince = performance.now();
        notify();
      },
      onBroadcastText: (from, text) => from !== processId && broadcastListeners.forEach((listener) => listener(text)),
    });
  }

  return {
    notify(topics) {
      const requested = TOPICS.filter((topic) => topics[topic]);
      if (requested.length === 0 || isClosed) {
        return;
      }
      for (const topic of requested) {
        fire[topic]();
        unsent.add(topic);
      }
      notify();
    },
    listen(topic, listener) {
      listeners[topic].add(listener);
      openSubscription();
      return () => listeners[topic].delete(listener);
    },
    async broadcast(text) {
      if (!isClosed) {
        await pool.query({ ...NOTIFY, values: [BROADCAST_CHANNEL, `${processId} ${text}`] }).catch(() => undefined);
      }
    },
    onBroadcast(listener) {
      broadcastListeners.add(listener);
      openSubscription();
      return () => broadcastListeners.delete(listener);
    },
    async ready() {
      await subscription?.connecting;
    },
    isHeard,
    async close() {
      isClosed = true;
      stopChecking?.();
      await subscription?.close();
    },
  };
}

interface SubscriptionOptions {
  readonly url: string;
  readonly log: Logger;
  readonly onTopics: (from: string, topics: Topic[]) => void;
  readonly onBroadcastText: (from: string, text: string) => void;
  readonly onListening: () => void;
}

/** Keeps one LISTEN connection open. After a reconnect all topics fire, because notifications may have been missed. */
function listen({ url, log, onTopics, onBroadcastText, onListening }: SubscriptionOptions) {
  let isClosed = false;
  let isListening = false;
  let client: pg.Client | undefined;
  let socket: Socket | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function connect() {
    const stream = new Socket();
    const next = new pg.Client({
      connectionString: url,
      application_name: "prosa_wake",
      keepAlive: true,
      stream: () => stream,
    });
    client = next;
    socket = stream;
    let isLost = false;
    const lost = (error?: Error) => {
      if (!isLost && !isClosed) {
        isLost = true;
        isListening = false;
        log.debug({ err: error }, "LISTEN connection lost");
        retry = setTimeout(() => void connect(), RECONNECT_MS).unref();
      }
    };
    next.on("error", lost);
    next.on("end", () => lost());
    next.on("notification", ({ channel, payload = "" }) => {
      if (channel === BROADCAST_CHANNEL) {
        const space = payload.indexOf(" ");
        onBroadcastText(payload.slice(0, space), payload.slice(space + 1));
        return;
      }
      const [from = "", ...topics] = payload.split(" ");
      onTopics(
        from,
        TOPICS.filter((topic) => topics.includes(topic)),
      );
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}; listen ${BROADCAST_CHANNEL}`);
      isListening = true;
      onListening();
      onTopics("", [...TOPICS]);
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
      await next.end().catch(() => undefined);
    }
  }

  const connecting = connect();
  return {
    connecting,
    isListening: () => isListening,
    /** Ends the connection, also one that is being made, so that another takes its place. No farewell: nobody may be there to hear it. */
    renew() {
      socket?.destroy();
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}

/** Runs the first call at once and later ones at most each `ms`, never two at a time; the last call is never lost. */
export function throttle(ms: number, work: () => void | Promise<void>): () => void {
  let isBusy = false;
  let isRequested = false;

  async function run() {
    isBusy = true;
    do {
      isRequested = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, ms).unref());
    } while (isRequested);
    isBusy = false;
  }

  return () => {
    isRequested = true;
    if (!isBusy) {
      void run();
    }
  };
}
