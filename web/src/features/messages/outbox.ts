/**
 * What was written here and is not yet stored by the server. It survives reload and offline: an entry leaves only when the server
 * has it, under a client id that makes sending it again harmless (M-05).
 */
export interface OutboxEntry {
  readonly clientId: string;
  readonly ticketId: number;
  readonly userId: number;
  readonly body: string;
  readonly file: { readonly blob: Blob; readonly name: string; readonly isVoice: boolean } | null;
  readonly quotedMsgId: number | null;
  readonly writtenAt: number;
  readonly state: "waiting" | "sending" | "failed";
  /** Why the server refused it: an error code. Only with `failed`. */
  readonly failure: string | null;
  /** Share of the upload that has left, 0 to 1. */
  readonly progress: number;
}

export interface OutboxStore {
  all(): Promise<OutboxEntry[]>;
  put(entry: OutboxEntry): Promise<void>;
  remove(clientId: string): Promise<void>;
}

export interface OutboxParts {
  readonly store: OutboxStore;
  /** Hands the entry to the server. Rejects with `{ isFinal: true, code }` when trying again cannot help. */
  readonly deliver: (
    entry: OutboxEntry,
    options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ) => Promise<void>;
  /** Only one tab of the browser delivers to a ticket at a time; runs `work` when it is this one's turn. */
  readonly exclusively: (ticketId: number, work: () => Promise<void>) => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
}

/** A refusal that a retry by itself would only repeat. */
export class FinalRefusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = "FinalRefusal";
    this.code = code;
  }
}

export type NewEntry = Pick<OutboxEntry, "ticketId" | "userId" | "body" | "file" | "quotedMsgId">;

interface Lane {
  /** Failures since something last got through. */
  attempt: number;
  /** Ends the pause before the next try. */
  wake: () => void;
}

const backOffMs = [500, 1_000, 2_000, 5_000, 10_000, 15_000];

export function createOutbox(parts: OutboxParts) {
  let entries: readonly OutboxEntry[] = [];
  const listeners = new Set<() => void>();
  const aborts = new Map<string, AbortController>();
  /** Tickets that are being delivered to: what is stuck in one conversation holds up no other. */
  const lanes = new Map<number, Lane>();

  const show = (next: readonly OutboxEntry[]) => {
    entries = next;
    listeners.forEach((listener) => listener());
  };
  const change = (clientId: string, to: Partial<OutboxEntry>) =>
    show(entries.map((entry) => (entry.clientId === clientId ? { ...entry, ...to } : entry)));
  const find = (clientId: string) => entries.find((entry) => entry.clientId === clientId);

  async function keep(clientId: string, to: Partial<OutboxEntry>): Promise<void> {
    change(clientId, to);
    const entry = find(clientId);
    if (entry) {
      // an upload's progress and "sending" mean nothing after a reload
      await parts.store.put({ ...entry, state: entry.state === "sending" ? "waiting" : entry.state, progress: 0 });
    }
  }

  /** The oldest waiting entry of a ticket goes first; one that failed does not hold the ones after it. */
  const nextWaiting = (ticketId: number) =>
    entries.find((entry) => entry.ticketId === ticketId && entry.state === "waiting");

  /** Delivers what waits; a lane that pauses after a failure is woken. */
  function run(): void {
    for (const ticketId of new Set(entries.map((entry) => entry.ticketId))) {
      const lane = lanes.get(ticketId);
      if (lane) {
        lane.wake();
      } else {
        void runLane(ticketId);
      }
    }
  }

  async function runLane(ticketId: number): Promise<void> {
    const lane: Lane = { attempt: 0, wake: () => undefined };
    lanes.set(ticketId, lane);
    try {
      for (let entry = nextWaiting(ticketId); entry; entry = nextWaiting(ticketId)) {
        if (await deliverOne(entry)) {
          lane.attempt = 0;
        } else {
          const pause = backOffMs[Math.min(lane.attempt, backOffMs.length - 1)] ?? 15_000;
          lane.attempt += 1;
          await Promise.race([parts.wait(pause), new Promise<void>((resolve) => (lane.wake = resolve))]);
        }
      }
    } finally {
      lanes.delete(ticketId);
    }
  }

  /** False when the network failed and it should be tried again. */
  async function deliverOne({ clientId, ticketId }: OutboxEntry): Promise<boolean> {
    let isSettled = false;
    await parts.exclusively(ticketId, async () => {
      // another tab may have delivered it while this one waited for its turn
      const stored = (await parts.store.all()).find((entry) => entry.clientId === clientId);
      const entry = find(clientId);
      if (!stored || entry?.state !== "waiting") {
        show(entries.filter((other) => other.clientId !== clientId || stored !== undefined));
        isSettled = true;
        return;
      }
      const abort = new AbortController();
      aborts.set(clientId, abort);
      change(clientId, { state: "sending", progress: 0 });
      try {
        await parts.deliver(entry, { signal: abort.signal, onProgress: (progress) => change(clientId, { progress }) });
        await parts.store.remove(clientId);
        show(entries.filter((other) => other.clientId !== clientId));
        isSettled = true;
      } catch (error) {
        if (error instanceof FinalRefusal) {
          await keep(clientId, { state: "failed", failure: error.code });
          isSettled = true;
        } else if (find(clientId)) {
          change(clientId, { state: "waiting", progress: 0 });
        } else {
          // cancelled while it was on its way
          isSettled = true;
        }
      } finally {
        aborts.delete(clientId);
      }
    });
    return isSettled;
  }

  return {
    /** What waited when the page was last closed goes on. Call once the session's user is known. */
    async open(userId: number): Promise<void> {
      const stored = (await parts.store.all()).filter((entry) => entry.userId === userId);
      show(stored.sort((a, b) => a.writtenAt - b.writtenAt));
      run();
    },

    /** Shows it at once, keeps it, and sends it as soon as the server can be reached. */
    async add(entry: NewEntry): Promise<string> {
      const full: OutboxEntry = {
        ...entry,
        clientId: parts.newId(),
        // two in one millisecond keep the order in which they were written
        writtenAt: Math.max(parts.now(), (entries.at(-1)?.writtenAt ?? 0) + 1),
        state: "waiting",
        failure: null,
        progress: 0,
      };
      show([...entries, full]);
      await parts.store.put(full);
      run();
      return full.clientId;
    },

    async retry(clientId: string): Promise<void> {
      await keep(clientId, { state: "waiting", failure: null });
      run();
    },

    /** Takes it back, unless the server already has it. */
    async cancel(clientId: string): Promise<void> {
      show(entries.filter((entry) => entry.clientId !== clientId));
      await parts.store.remove(clientId);
      aborts.get(clientId)?.abort();
    },

    /** The network is back: no need to wait for the back-off. */
    nudge(): void {
      lanes.forEach((lane) => (lane.attempt = 0));
      run();
    },

    entries: () => entries,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
