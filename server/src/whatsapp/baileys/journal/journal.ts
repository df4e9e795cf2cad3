import type { JournalEntry, KeyWrite } from "../../port.ts";

/**
 * Does this write move a Signal ratchet? Then it may become durable only together with the message that moved it. A
 * message deletes the pre-key that it used. New pre-keys belong to no message and must not wait for one: a message may
 * wait for the answer to a query that is queued behind the upload of new pre-keys.
 */
function movesRatchet({ type, value }: KeyWrite): boolean {
  return type === "session" || type === "sender-key" || (type === "pre-key" && value === null);
}

/** Upper bound for one transaction; a commit always ends at a consistent cut. */
const MAX_COMMIT_ENTRIES = 400;
/** How often a waiting journal checks whether the message in work makes progress. */
const CHECK_MS = 100;
/**
 * A message without progress for this many checks (2 s) no longer holds the journal back, and raises an alarm. Checks are
 * counted, not time: in a process that got no CPU the message is not stuck.
 */
const STUCK_AFTER_CHECKS = 20;
const RETRY_MS = [50, 200, 1_000, 2_000, 5_000] as const;

export interface JournalOptions {
  /** One transaction; rejects when nothing was stored. */
  readonly commit: (entries: readonly JournalEntry[]) => Promise<void>;
  /** A number for the inbound message between its decryption and its event; null when there is none. */
  readonly messageInWork: () => number | null;
  /** Stops waiting for the message in work. */
  readonly abandonMessageInWork: () => void;
  /** Keys are being read, which the message in work may be waiting for. */
  readonly isReading: () => boolean;
  /** While the socket is alive every decrypted message reaches its event; afterwards it may not. */
  readonly isSocketAlive: () => boolean;
  /** Called after each commit with the durable position. */
  readonly onDurable: (position: number) => void;
  readonly onCommitted: (entries: readonly JournalEntry[]) => void;
  readonly onProblem: (trouble: "commitFailed" | "messageStuck", error?: unknown) => void;
  /** True ends the retries: the lease is lost, and another process writes now. */
  readonly isFatal: (error: unknown) => boolean;
}

interface PositionedEntry {
  readonly position: number;
  readonly entry: JournalEntry;
  readonly isRatchet: boolean;
}

/**
 * Keys, credentials, messages and acknowledgements of one socket, in the order in which they happened, committed at
 * consistent cuts (decision 0030): a ratchet never becomes durable without its message.
 *
 * When the socket has closed the journal commits all events, and keys and credentials up to the last cut. Keys behind the
 * cut are dropped as in a crash of the process, and WhatsApp delivers their messages again.
 */
export class Journal {
  readonly #options: JournalOptions;
  #entries: PositionedEntry[] = [];
  /** Positions of consistent cuts that are not durable yet, ascending. */
  #cuts: number[] = [];
  #position = 0;
  #lastCut = 0;
  #durable = 0;
  #ratchetsBehindCut = 0;
  #isCommitting = false;
  #checkedMessage: number | null = null;
  #checks = 0;
  #checkTimer: NodeJS.Timeout | undefined;
  #state: "running" | "frozen" | "abandoned" = "running";
  #idleWaiters: (() => void)[] = [];
  #retryNow: (() => void) | undefined;
  #holdTimer: NodeJS.Timeout | undefined;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  get position(): number {
    return this.#position;
  }

  get durable(): number {
    return this.#durable;
  }

  /** Appends an entry and returns its position. Ignored after the socket has closed: WhatsApp delivers it again. */
  put(entry: JournalEntry): number {
    if (this.#state !== "running") {
      return this.#position;
    }
    const isRatchet = entry.kind === "keys" && entry.writes.some(movesRatchet);
    this.#position += 1;
    this.#ratchetsBehindCut += isRatchet ? 1 : 0;
    this.#entries.push({ position: this.#position, entry, isRatchet });
    return this.#position;
  }

  /** Cuts after an inbound message has raised its event: its key writes and its event are in one prefix. */
  cutHere(): void {
    if (this.#state === "running" && this.#freezeUnlessAlive()) {
      this.#cut();
    }
  }

  /** Advances the cut, unless a message is in work: it is called again when that message is done. */
  advance(): void {
    if (this.#state !== "running" || this.#lastCut === this.#position) {
      return;
    }
    if (this.#ratchetsBehindCut === 0) {
      this.#cut();
      return;
    }
    if (this.#options.messageInWork() === null) {
      this.cutHere();
      return;
    }
    this.#checkTimer ??= setTimeout(() => this.#checkProgress(), CHECK_MS).unref();
  }

  /**
   * Collects cuts for one commit until `release`, until `ms` milliseconds have passed since the last call, or until there
   * are as many as one transaction takes. Frames wait meanwhile.
   */
  hold(ms: number): void {
    if (this.#state === "running") {
      clearTimeout(this.#holdTimer);
      this.#holdTimer = setTimeout(() => this.release(), ms).unref();
    }
  }

  release(): void {
    clearTimeout(this.#holdTimer);
    this.#holdTimer = undefined;
    void this.#commitCuts();
  }

  /** After the socket has closed: commits all events, and keys and credentials up to the last cut. Resolves when the journal is empty. */
  async freeze(): Promise<void> {
    if (this.#state === "running") {
      this.#state = "frozen";
      clearTimeout(this.#checkTimer);
      // Events behind the cut are kept, because an event needs no key write to be valid. Keys and credentials are dropped.
      this.#entries = this.#entries.filter(
        ({ position, entry }) => position <= this.#lastCut || entry.kind === "event",
      );
      this.#cutAt(this.#position);
    }
    this.release();
    await this.whenIdle();
  }

  /** Writes nothing more: the lease is lost. */
  abandon(): void {
    this.#state = "abandoned";
    clearTimeout(this.#checkTimer);
    clearTimeout(this.#holdTimer);
    this.#holdTimer = undefined;
    this.#entries = [];
    this.#cuts = [];
    this.#retryNow?.();
    this.#resolveIdle();
  }

  /** Resolves when everything up to the last cut is durable. */
  whenIdle(): Promise<void> {
    if (!this.#isCommitting && this.#cuts.length === 0) {
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  #freezeUnlessAlive(): boolean {
    if (this.#options.isSocketAlive()) {
      return true;
    }
    void this.freeze();
    return false;
  }

  /** Every 100 ms while a cut waits: is the message in work stuck between its decryption and its event? */
  #checkProgress(): void {
    this.#checkTimer = undefined;
    if (this.#state !== "running") {
      return;
    }
    const current = this.#options.messageInWork();
    // A slow or unreachable database makes every message wait: none is stuck before it has answered.
    const isMoving = current !== this.#checkedMessage || this.#isCommitting || this.#options.isReading();
    this.#checkedMessage = current;
    this.#checks = isMoving ? 0 : this.#checks + 1;
    if (current !== null && this.#checks > STUCK_AFTER_CHECKS && this.#freezeUnlessAlive()) {
      this.#checks = 0;
      this.#options.onProblem("messageStuck");
      this.#options.abandonMessageInWork();
    }
    this.advance();
  }

  #cut(): void {
    this.#cutAt(this.#position);
  }

  #cutAt(position: number): void {
    if (position === this.#lastCut) {
      return;
    }
    this.#lastCut = position;
    this.#ratchetsBehindCut = 0;
    this.#cuts.push(position);
    void this.#commitCuts();
  }

  get #isHeld(): boolean {
    return this.#holdTimer !== undefined && this.#lastCut - this.#durable < MAX_COMMIT_ENTRIES;
  }

  async #commitCuts(): Promise<void> {
    if (this.#isCommitting) {
      return;
    }
    this.#isCommitting = true;
    while (this.#cuts.length > 0 && !this.#isHeld) {
      const { upTo, entries } = this.#nextCommit();
      if (entries.length > 0) {
        await this.#commit(entries);
      }
      if (this.#state === "abandoned") {
        break;
      }
      this.#durable = upTo;
      this.#options.onCommitted(entries);
      this.#options.onDurable(upTo);
    }
    this.#isCommitting = false;
    if (this.#cuts.length === 0) {
      this.#resolveIdle();
    }
  }

  /** As many cuts as fit into one transaction, at least one. */
  #nextCommit(): { upTo: number; entries: JournalEntry[] } {
    const first = this.#durable;
    let count = 1;
    while (count < this.#cuts.length && (this.#cuts[count] ?? 0) - first <= MAX_COMMIT_ENTRIES) {
      count += 1;
    }
    const upTo = this.#cuts.splice(0, count).at(-1) ?? first;
    let end = 0;
    while (end < this.#entries.length && (this.#entries[end]?.position ?? Infinity) <= upTo) {
      end += 1;
    }
    return { upTo, entries: this.#entries.splice(0, end).map(({ entry }) => entry) };
  }

  /** Retries until it succeeds: no frame is sent before, so nothing is acknowledged that is not stored. */
  async #commit(entries: readonly JournalEntry[]): Promise<void> {
    for (let attempt = 0; this.#state !== "abandoned"; attempt += 1) {
      try {
        await this.#options.commit(entries);
        return;
      } catch (error) {
        this.#options.onProblem("commitFailed", error);
        if (this.#options.isFatal(error)) {
          this.abandon();
          return;
        }
        await this.#pause(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0);
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#retryNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #resolveIdle(): void {
    for (const resolve of this.#idleWaiters.splice(0)) {
      resolve();
    }
  }
}
