import type { JournalEntry, KeyWrite } from "../../port.ts";

/**
 * Does this write move a ratchet? Then it is durable only together with the message that moved it. A pre-key is used
 * up by a message; a new one is not, and must not wait: a message may be waiting for an answer whose question stands
 * behind the upload of new pre-keys.
 */
function movesRatchet({ type, value }: KeyWrite): boolean {
  return type === "session" || type === "sender-key" || (type === "pre-key" && value === null);
}

/** Entries of one commit at most, so that no transaction grows without bound; always ends at a consistent cut. */
const LARGEST_COMMIT = 400;
/** How often a journal that waits looks whether the message that it waits for moves. */
const LOOK_AGAIN_MS = 100;
/**
 * A message that stays half done for so many looks (2 s) no longer holds the journal back; one alarm tells of it.
 * Looks, not time: a process that was not given the processor has not looked, and its message is not stuck.
 */
const BOUND_LOOKS = 20;
const RETRY_MS = [50, 200, 1_000, 2_000, 5_000] as const;

export interface JournalParts {
  /** One transaction; rejects when nothing was stored. */
  readonly commit: (entries: readonly JournalEntry[]) => Promise<void>;
  /** Names the inbound message that is between its decryption and its event; null when none is. */
  readonly halfDone: () => number | null;
  /** Nothing waits for the message that is half done any more. */
  readonly letGo: () => void;
  /** Is a key being read, which a message in work may be waiting for? */
  readonly isReading: () => boolean;
  /** While the socket is open every decrypted message reaches its event; afterwards it may stop half way. */
  readonly isWhole: () => boolean;
  /** Called after each commit with the position that is durable now. */
  readonly onDurable: (position: number) => void;
  readonly onCommitted: (entries: readonly JournalEntry[]) => void;
  readonly onTrouble: (trouble: "commitFailed" | "boundFired", error?: unknown) => void;
  /** True ends the retries: the lease is lost, somebody else writes now. */
  readonly isFatal: (error: unknown) => boolean;
}

interface Kept {
  readonly position: number;
  readonly entry: JournalEntry;
  readonly isRatchet: boolean;
}

/**
 * Keys, credentials, messages and acknowledgements of one socket, in the order in which they happened, committed at
 * consistent cuts (decision 0030): a ratchet never becomes durable without its message.
 *
 * When the socket is gone the journal behaves as if the process had crashed: the prefix up to the last cut is saved,
 * half-done work behind it is forgotten, and WhatsApp delivers it again.
 */
export class Journal {
  readonly #parts: JournalParts;
  #kept: Kept[] = [];
  /** Positions up to which a commit is consistent, ascending, those that are not durable yet. */
  #cuts: number[] = [];
  #position = 0;
  #safe = 0;
  #durable = 0;
  #looseRatchets = 0;
  #isCommitting = false;
  #lookedAt: number | null = null;
  #looks = 0;
  #lookAgain: NodeJS.Timeout | undefined;
  #state: "running" | "frozen" | "abandoned" = "running";
  #idle: (() => void)[] = [];
  #retryNow: (() => void) | undefined;

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  get position(): number {
    return this.#position;
  }

  get durable(): number {
    return this.#durable;
  }

  /** Appends; returns the position. Ignored once the socket is gone: what comes then will be delivered again. */
  put(entry: JournalEntry): number {
    if (this.#state !== "running") {
      return this.#position;
    }
    const isRatchet = entry.kind === "keys" && entry.writes.some(movesRatchet);
    this.#position += 1;
    this.#looseRatchets += isRatchet ? 1 : 0;
    this.#kept.push({ position: this.#position, entry, isRatchet });
    return this.#position;
  }

  /** An inbound message has reached its event: its key writes and itself are one prefix. */
  cutHere(): void {
    if (this.#state === "running" && this.#isStillWhole()) {
      this.#cut();
    }
  }

  /** Moves the cut on, unless a message is half done: it is called again when that one is through. */
  advance(): void {
    if (this.#state !== "running" || this.#safe === this.#position) {
      return;
    }
    if (this.#looseRatchets === 0) {
      this.#cut();
      return;
    }
    if (this.#parts.halfDone() === null) {
      this.cutHere();
      return;
    }
    this.#lookAgain ??= setTimeout(() => this.#look(), LOOK_AGAIN_MS).unref();
  }

  /** The socket is gone. Saves what is whole, forgets the rest. Resolves when the journal is empty. */
  async freeze(): Promise<void> {
    if (this.#state === "running") {
      this.#state = "frozen";
      clearTimeout(this.#lookAgain);
      // Events say what the server told us, apart from any ratchet: worth keeping. Keys and credentials are not.
      this.#kept = this.#kept.filter(({ position, entry }) => position <= this.#safe || entry.kind === "event");
      this.#cutAt(this.#position);
    }
    await this.whenIdle();
  }

  /** The lease is lost: nothing more is written. */
  abandon(): void {
    this.#state = "abandoned";
    clearTimeout(this.#lookAgain);
    this.#kept = [];
    this.#cuts = [];
    this.#retryNow?.();
    this.#settleIdle();
  }

  /** Resolves when everything up to the last cut is durable. */
  whenIdle(): Promise<void> {
    if (!this.#isCommitting && this.#cuts.length === 0) {
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #isStillWhole(): boolean {
    if (this.#parts.isWhole()) {
      return true;
    }
    void this.freeze();
    return false;
  }

  /** Every 100 ms while something waits: is a message stuck between its decryption and its event? */
  #look(): void {
    this.#lookAgain = undefined;
    if (this.#state !== "running") {
      return;
    }
    const current = this.#parts.halfDone();
    // A store that is slow or away lets every message wait: none is stuck before it has answered.
    const isMoving = current !== this.#lookedAt || this.#isCommitting || this.#parts.isReading();
    this.#lookedAt = current;
    this.#looks = isMoving ? 0 : this.#looks + 1;
    if (current !== null && this.#looks > BOUND_LOOKS && this.#isStillWhole()) {
      this.#looks = 0;
      this.#parts.onTrouble("boundFired");
      this.#parts.letGo();
    }
    this.advance();
  }

  #cut(): void {
    this.#cutAt(this.#position);
  }

  #cutAt(position: number): void {
    if (position === this.#safe) {
      return;
    }
    this.#safe = position;
    this.#looseRatchets = 0;
    this.#cuts.push(position);
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#isCommitting) {
      return;
    }
    this.#isCommitting = true;
    while (this.#cuts.length > 0) {
      const { upTo, entries } = this.#nextCommit();
      if (entries.length > 0) {
        await this.#commit(entries);
      }
      if (this.#state === "abandoned") {
        break;
      }
      this.#durable = upTo;
      this.#parts.onCommitted(entries);
      this.#parts.onDurable(upTo);
    }
    this.#isCommitting = false;
    this.#settleIdle();
  }

  /** As many whole cuts as fit into one transaction, at least one. */
  #nextCommit(): { upTo: number; entries: JournalEntry[] } {
    const first = this.#durable;
    let count = 1;
    while (count < this.#cuts.length && (this.#cuts[count] ?? 0) - first <= LARGEST_COMMIT) {
      count += 1;
    }
    const upTo = this.#cuts.splice(0, count).at(-1) ?? first;
    let end = 0;
    while (end < this.#kept.length && (this.#kept[end]?.position ?? Infinity) <= upTo) {
      end += 1;
    }
    return { upTo, entries: this.#kept.splice(0, end).map(({ entry }) => entry) };
  }

  /** Until it succeeds: no frame leaves before, so nothing is confirmed that is not stored. */
  async #commit(entries: readonly JournalEntry[]): Promise<void> {
    for (let attempt = 0; this.#state !== "abandoned"; attempt += 1) {
      try {
        await this.#parts.commit(entries);
        return;
      } catch (error) {
        this.#parts.onTrouble("commitFailed", error);
        if (this.#parts.isFatal(error)) {
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

  #settleIdle(): void {
    for (const resolve of this.#idle.splice(0)) {
      resolve();
    }
  }
}
