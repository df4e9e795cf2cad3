type Send = (data: Uint8Array, done?: (error?: Error) => void) => void;

/** The part of a `ws` socket that the gate stands in front of. */
export interface RawSocket {
  readonly readyState: number;
  send: Send;
}

const OPEN = 1;
const UNSETTLED = Infinity;

interface Frame {
  readonly data: Uint8Array;
  need: number;
}

/**
 * No frame leaves before everything that was journaled before it is durable; no exception for pings (decision
 * 0030). What a frame depends on is known two turns of the event loop later: between writing a receipt and raising
 * its event Baileys has only microtasks, as long as the send callback is called at once.
 */
export class FrameGate {
  readonly #write: (data: Uint8Array) => void;
  readonly #position: () => number;
  readonly #onSettled: () => void;
  #queue: Frame[] = [];
  #durable = 0;
  #unsettled = 0;
  #emptied: (() => void)[] = [];

  /** Takes the place of `raw.send`. `position` is the journal's; `onSettled` is told that a frame now waits for it. */
  constructor(raw: RawSocket, position: () => number, onSettled: () => void) {
    const send = raw.send.bind(raw);
    this.#write = (data) => {
      if (raw.readyState === OPEN) {
        send(data, () => undefined);
      }
    };
    this.#position = position;
    this.#onSettled = onSettled;
    raw.send = (data, done) => this.#take(data, done);
  }

  /** Is there a frame that was written in this very turn? A message raised without one broke the order (an alarm). */
  get hasUnsettled(): boolean {
    return this.#unsettled > 0;
  }

  /** Everything up to here is durable: lets the frames go that waited for it. */
  release(durable: number): void {
    this.#durable = durable;
    this.#flush();
  }

  /** Resolves when no frame waits any more. */
  whenEmpty(): Promise<void> {
    return this.#queue.length === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#emptied.push(resolve);
        });
  }

  /** The socket is gone: what waits is dropped; the server delivers again. */
  close(): void {
    this.#queue = [];
    this.#settle();
  }

  #take(data: Uint8Array, done?: (error?: Error) => void): void {
    const frame: Frame = { data, need: UNSETTLED };
    this.#queue.push(frame);
    this.#unsettled += 1;
    setImmediate(() =>
      setImmediate(() => {
        this.#unsettled -= 1;
        frame.need = this.#position();
        this.#onSettled();
        this.#flush();
      }),
    );
    done?.();
  }

  #flush(): void {
    let sent = 0;
    while (sent < this.#queue.length && (this.#queue[sent]?.need ?? UNSETTLED) <= this.#durable) {
      this.#write(this.#queue[sent]?.data ?? new Uint8Array());
      sent += 1;
    }
    if (sent > 0) {
      this.#queue.splice(0, sent);
    }
    if (this.#queue.length === 0) {
      this.#settle();
    }
  }

  #settle(): void {
    for (const resolve of this.#emptied.splice(0)) {
      resolve();
    }
  }
}
