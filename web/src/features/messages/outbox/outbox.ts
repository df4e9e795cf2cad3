/**
 * A message that the server has not stored yet. It survives a reload and being offline: an entry leaves the outbox when the
 * server has stored it. Its client id makes sending idempotent (M-05).
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
  /** Uploaded share of the file, 0 to 1. */
  readonly progress: number;
}

export interface OutboxStore {
  /** Rejects where they cannot be read: that is not the same as none. */
  all(): Promise<OutboxEntry[]>;
  put(entry: OutboxEntry): Promise<void>;
  remove(clientId: string): Promise<void>;
}

export interface OutboxParts {
  readonly store: OutboxStore;
  /** Sends the entry to the server. Rejects with `FinalRefusal` when a retry cannot help. */
  readonly deliver: (
    entry: OutboxEntry,
    options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ) => Promise<void>;
  /** A lock over all tabs of the browser: only one delivers to a ticket at a time. */
  readonly exclusively: (ticketId: number, work: () => Promise<void>) => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
}

/** The server refused the message, and would refuse it again. */
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
  /** Failures since the last success. */
  attempt: number;
  /** Ends the back-off pause. */
  wake: () => void;
}

const backOffMs = [500, 1_000, 2_000, 5_000, 10_000, 15_000];

/** An outbox that delivers per ticket in order, with back-off; tickets do not wait for each other. */
export function createOutbox(parts: OutboxParts) {
  let entries: readonly OutboxEntry[] = [];
  /** What was unsent when its writer's session ended: for them, where the store cannot be read at their next sign-in. */
  let left: readonly OutboxEntry[] = [];
  let owner: number | undefined;
  const listeners = new Set<() => void>();
  const aborts = new Map<string, AbortController>();
  /** One delivery loop per ticket: a stuck conversation delays no other. */
  const lanes = new Map<number, Lane>();

  const setEntries = (next: readonly OutboxEntry[]) => {
    entries = next;
    listeners.forEach((listener) => listener());
  };
  const change = (clientId: string, to: Partial<OutboxEntry>) =>
    setEntries(entries.map((entry) => (entry.clientId === clientId ? { ...entry, ...to } : entry)));
  const find = (clientId: string) => entries.find((entry) => entry.clientId === clientId);

  async function keep(clientId: string, to: Partial<OutboxEntry>): Promise<void> {
    change(clientId, to);
    const entry = find(clientId);
    if (entry) {
      // after a reload nothing is being sent: store it as waiting, without progress
      await parts.store.put({ ...entry, state: entry.state === "sending" ? "waiting" : entry.state, progress: 0 });
    }
  }

  /** The oldest waiting entry of a ticket; a failed one does not block those after it. */
  const nextWaiting = (ticketId: number) =>
    entries.find((entry) => entry.ticketId === ticketId && entry.state === "waiting");

  /** Starts the delivery loop of each ticket; wakes a loop that pauses after a failure. */
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

  /** False when the network failed: the entry is retried. */
  async function deliverOne({ clientId, ticketId, userId }: OutboxEntry): Promise<boolean> {
    let isSettled = false;
    await parts.exclusively(ticketId, async () => {
      // another tab may have delivered it while this one waited for the lock; where nobody can tell, the server recognises its id
      const isStored = await parts.store.all().then(
        (stored) => stored.some((entry) => entry.clientId === clientId),
        () => true,
      );
      const isOurs = isStored && userId === owner;
      const entry = find(clientId);
      if (!isOurs || entry?.state !== "waiting") {
        setEntries(entries.filter((other) => other.clientId !== clientId || isOurs));
        isSettled = true;
        return;
      }
      const abort = new AbortController();
      aborts.set(clientId, abort);
      change(clientId, { state: "sending", progress: 0 });
      try {
        await parts.deliver(entry, { signal: abort.signal, onProgress: (progress) => change(clientId, { progress }) });
        await parts.store.remove(clientId);
        setEntries(entries.filter((other) => other.clientId !== clientId));
        isSettled = true;
      } catch (error) {
        if (error instanceof FinalRefusal) {
          await keep(clientId, { state: "failed", failure: error.code });
          isSettled = true;
        } else if (find(clientId)) {
          change(clientId, { state: "waiting", progress: 0 });
        } else {
          // cancelled while it was being sent
          isSettled = true;
        }
      } finally {
        aborts.delete(clientId);
      }
    });
    return isSettled;
  }

  /** What is stored and not known here. Whose it may be is decided after the read: meanwhile the session may have ended. */
  async function adoptStored(isWanted: (entry: OutboxEntry) => boolean): Promise<void> {
    // unreadable: what this page knows is all there is
    const stored = await parts.store.all().catch(() => left);
    const unknown = stored.filter(
      (entry) => entry.userId === owner && isWanted(entry) && find(entry.clientId) === undefined,
    );
    // from here on the entries say what became of them
    left = left.filter((entry) => entry.userId !== owner);
    if (unknown.length > 0) {
      setEntries([...entries, ...unknown].toSorted((a, b) => a.writtenAt - b.writtenAt));
      run();
    }
  }

  return {
    /** Loads the user's stored entries and sends them. Call once the session's user is known. */
    async open(userId: number): Promise<void> {
      owner = userId;
      await adoptStored(() => true);
      run();
    },

    /** The session is over: sends nothing more, not even with the next one's token. What is stored waits for its writer. */
    close(): void {
      owner = undefined;
      // nothing is being sent any more
      const unsent = entries.map((entry) =>
        entry.state === "sending" ? { ...entry, state: "waiting" as const } : entry,
      );
      left = [...left, ...unsent.map((entry) => ({ ...entry, progress: 0 }))];
      setEntries([]);
      aborts.forEach((abort) => abort.abort());
    },

    /**
     * Takes the message and shows it at once; throws where it does not, so that the writer keeps the words. It is sent as soon as the
     * server can be reached. Resolves with its client id when it is stored.
     */
    add(entry: NewEntry): Promise<string> {
      const full: OutboxEntry = {
        ...entry,
        clientId: parts.newId(),
        // two in one millisecond keep the order in which they were written
        writtenAt: Math.max(parts.now(), (entries.at(-1)?.writtenAt ?? 0) + 1),
        state: "waiting",
        failure: null,
        progress: 0,
      };
      setEntries([...entries, full]);
      return parts.store.put(full).then(() => {
        run();
        return full.clientId;
      });
    },

    async retry(clientId: string): Promise<void> {
      await keep(clientId, { state: "waiting", failure: null });
      run();
    },

    /** Sends the text of an entry whose file was refused: nothing of it is stored, so it keeps its place and its id. */
    async sendWithoutFile(clientId: string): Promise<void> {
      await keep(clientId, { file: null, state: "waiting", failure: null });
      run();
    },

    /** Removes the entry and aborts its request; without effect when the server already has it. */
    async cancel(clientId: string): Promise<void> {
      setEntries(entries.filter((entry) => entry.clientId !== clientId));
      await parts.store.remove(clientId);
      aborts.get(clientId)?.abort();
    },

    /** What failed of these, the server has stored after all: its answer was lost, and then the retry refused. */
    dropStored(clientIds: ReadonlySet<string>): void {
      const isStored = ({ state, clientId }: OutboxEntry) => state === "failed" && clientIds.has(clientId);
      entries.filter(isStored).forEach(({ clientId }) => void parts.store.remove(clientId));
      if (entries.some(isStored)) {
        setEntries(entries.filter((entry) => !isStored(entry)));
      }
    },

    /** The network or this tab is back: retries at once instead of waiting for the back-off, also what another tab left. */
    async retryNow(): Promise<void> {
      lanes.forEach((lane) => (lane.attempt = 0));
      run();
      // what another tab, closed since or still without network, has not sent; a failed one is that tab's to show
      await adoptStored(({ state }) => state === "waiting");
    },

    entries: () => entries,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
