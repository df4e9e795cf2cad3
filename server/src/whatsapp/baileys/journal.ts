import type { JournalEntry, KeyWrite } from "../port.ts";

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
/** Nothing asks twice for a barrier sooner than this. */
const LOOK_AGAIN_MS = 100;
/**
 * A message that stays half done for so many looks (2 s), while nothing comes through, no longer holds the journal back.
 * Looks, not time: a process that was not given the processor has not looked, and its message is not stuck.
 */
const BOUND_LOOKS = 20;
const RETRY_MS = [50, 200, 1_000, 2_000, 5_000] as const;

export interface JournalParts {
  /** One transaction; rejects when nothing was stored. */
  readonly commit: (entries: readonly JournalEntry[]) => Promise<void>;
  /** Runs `work` when no inbound message is half done (Baileys' message mutex is first in, first out). */
  readonly barrier: (work: () => void) => void;
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
  #isBarrierAsked = false;
  #looksWithoutMove = 0;
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
      this.noteMove();
      this.#cut();
    }
  }

  /** An inbound message is through, even without an event (a second copy): whatever waits behind it is not stuck. */
  noteMove(): void {
    this.#looksWithoutMove = 0;
  }

  /** Moves the cut on where that is allowed at once, otherwise when the messages in work are through. */
  advance(): void {
    if (this.#state !== "running" || this.#safe === this.#position) {
      return;
    }
    if (this.#looseRatchets === 0) {
      this.#cut();
      return;
    }
    if (!this.#isBarrierAsked) {
      this.#isBarrierAsked = true;
      this.noteMove();
      this.#parts.barrier(() => this.#onBarrier());
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

  #onBarrier(): void {
    this.#isBarrierAsked = false;
    if (this.#state === "running" && this.#isStillWhole()) {
      this.#cut();
    }
  }

  /** Every 100 ms while something waits: is a message stuck between its decryption and its event? */
  #look(): void {
    this.#lookAgain = undefined;
    if (this.#state !== "running" || this.#safe === this.#position) {
      return;
    }
    this.#looksWithoutMove += 1;
    if (this.#isCommitting || this.#parts.isReading()) {
      // The store is slow or away: no message is stuck before it has answered, and no frame could leave anyway.
      this.noteMove();
    }
    if (this.#isBarrierAsked && this.#looksWithoutMove > BOUND_LOOKS && this.#isStillWhole()) {
      this.#parts.onTrouble("boundFired");
      this.#cut();
      return;
    }
    this.advance();
    this.#lookAgain ??= setTimeout(() => this.#look(), LOOK_AGAIN_MS).unref();
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
