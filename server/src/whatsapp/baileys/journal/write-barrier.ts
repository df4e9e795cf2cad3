type Send = (data: Uint8Array, done?: (error?: Error) => void) => void;

/** The part of a `ws` socket that the barrier controls. */
export interface RawSocket {
  readonly readyState: number;
  send: Send;
}

const OPEN = 1;
const UNPOSITIONED = Infinity;

interface Frame {
  readonly data: Uint8Array;
  requiredPosition: number;
}

/**
 * Write barrier: no frame is sent before everything that was journaled before it is durable, pings included (decision
 * 0030). The journal position that a frame requires is known two turns of the event loop later: between writing a
 * receipt and raising its event Baileys runs only microtasks, as long as the send callback is called at once.
 */
export class WriteBarrier {
  readonly #write: (data: Uint8Array) => void;
  readonly #position: () => number;
  readonly #onPositioned: () => void;
  #queue: Frame[] = [];
  #durable = 0;
  #unpositioned = 0;
  #emptyWaiters: (() => void)[] = [];

  /** Replaces `raw.send`. `position` is the journal's; `onPositioned` is called when a frame has its required position. */
  constructor(raw: RawSocket, position: () => number, onPositioned: () => void) {
    const send = raw.send.bind(raw);
    this.#write = (data) => {
      if (raw.readyState === OPEN) {
        send(data, () => undefined);
      }
    };
    this.#position = position;
    this.#onPositioned = onPositioned;
    raw.send = (data, done) => this.#enqueue(data, done);
  }

  /** A frame was written in this turn. A message that is raised without one breaks the order that this relies on (an alarm). */
  get hasUnpositionedFrames(): boolean {
    return this.#unpositioned > 0;
  }

  /** Sends the frames whose required position is durable. */
  release(durable: number): void {
    this.#durable = durable;
    this.#flush();
  }

  /** Resolves when no frame waits. */
  whenEmpty(): Promise<void> {
    return this.#queue.length === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#emptyWaiters.push(resolve);
        });
  }

  /** Drops waiting frames after the socket has closed; the server delivers again. */
  close(): void {
    this.#queue = [];
    this.#resolveEmpty();
  }

  #enqueue(data: Uint8Array, done?: (error?: Error) => void): void {
    const frame: Frame = { data, requiredPosition: UNPOSITIONED };
    this.#queue.push(frame);
    this.#unpositioned += 1;
    setImmediate(() =>
      setImmediate(() => {
        this.#unpositioned -= 1;
        frame.requiredPosition = this.#position();
        this.#onPositioned();
        this.#flush();
      }),
    );
    done?.();
  }

  #flush(): void {
    let sent = 0;
    while (sent < this.#queue.length && (this.#queue[sent]?.requiredPosition ?? UNPOSITIONED) <= this.#durable) {
      this.#write(this.#queue[sent]?.data ?? new Uint8Array());
      sent += 1;
    }
    if (sent > 0) {
      this.#queue.splice(0, sent);
    }
    if (this.#queue.length === 0) {
      this.#resolveEmpty();
    }
  }

  #resolveEmpty(): void {
    for (const resolve of this.#emptyWaiters.splice(0)) {
      resolve();
    }
  }
}
