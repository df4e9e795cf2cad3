import type { WASocket } from "../library.ts";

/** The public objects of a socket that handle inbound messages. */
export type InboundParts = Pick<WASocket, "messageMutex" | "signalRepository">;

interface WatchOptions {
  /** There is no message in work any more. */
  readonly onSettled: () => void;
  /**
   * The library dropped a message after its decryption: it cannot handle the content, or the socket closed. Called with
   * the ciphertext, before the message is settled.
   */
  readonly onAbandoned: (ciphertext: Uint8Array) => void;
}

/**
 * Watches for the message in work: the inbound message between its decryption and its event. Its ratchet has moved, or
 * is about to, and its content is stored nowhere: the journal must not cut (decision 0030).
 *
 * The library handles inbound messages one at a time under `messageMutex`, but keeps the mutex long after the event was
 * raised or the decryption has failed: a retry request, or the keys of the app state, wait there for the lock that a send
 * holds while its query waits for a frame. So a cut waits for this much shorter time, not for the mutex.
 */
export class DecryptionWatch {
  #count = 0;
  #current: number | null = null;
  #ciphertext: Uint8Array | undefined;
  readonly #options: WatchOptions;

  constructor({ messageMutex, signalRepository }: InboundParts, options: WatchOptions) {
    this.#options = options;
    this.#watchDecryption(signalRepository);

    const lock = messageMutex.mutex.bind(messageMutex);
    messageMutex.mutex = (work) =>
      lock(async () => {
        try {
          return await work();
        } finally {
          if (this.#current !== null && this.#ciphertext) {
            this.#options.onAbandoned(this.#ciphertext);
          }
          this.settle();
        }
      });
  }

  /** A number for the message in work, another one for each; null when there is none. */
  get current(): number | null {
    return this.#current;
  }

  /** The ciphertext of the message in work. */
  get ciphertext(): Uint8Array | undefined {
    return this.#ciphertext;
  }

  /** The message in work has raised its event, or its decryption has failed (a retry is requested from the sender). */
  settle(): void {
    if (this.#current !== null) {
      this.#current = null;
      this.#ciphertext = undefined;
      this.#options.onSettled();
    }
  }

  #watchDecryption(repository: InboundParts["signalRepository"]): void {
    const { decryptMessage, decryptGroupMessage } = repository;
    repository.decryptMessage = (parts) => {
      this.#begin(parts.ciphertext);
      return decryptMessage.call(repository, parts);
    };
    repository.decryptGroupMessage = (parts) => {
      this.#begin(parts.msg);
      return decryptGroupMessage.call(repository, parts);
    };
  }

  #begin(ciphertext: Uint8Array): void {
    this.#count += 1;
    this.#ciphertext = ciphertext;
    this.#current = this.#count;
  }
}
