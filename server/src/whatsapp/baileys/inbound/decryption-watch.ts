import type { WASocket } from "../library.ts";

/** The public objects of a socket that handle inbound messages. */
export type InboundParts = Pick<WASocket, "messageMutex" | "signalRepository">;

interface WatchParts {
  /** A message stopped being half done. */
  readonly onSettled: () => void;
  /**
   * The library threw a message away after its decryption: its content does not suit it, or the socket closed. Called
   * before it is settled, with what was decrypted.
   */
  readonly onAbandoned: (ciphertext: Uint8Array) => void;
}

/**
 * Which inbound message is between its decryption and its event? Then its ratchet has moved, or is about to, and its
 * content is nowhere yet: no cut of the journal may pass (decision 0030).
 *
 * The library handles inbound messages one at a time under `messageMutex`, which it keeps long after the event was
 * raised or the decryption has failed: a retry request, or the keys of the app state, wait there for the lock that a
 * send holds while its query waits for a frame. So it is not the mutex that a cut waits for, but this much shorter time.
 */
export class DecryptionWatch {
  #count = 0;
  #current: number | null = null;
  #ciphertext: Uint8Array | undefined;
  readonly #parts: WatchParts;

  constructor({ messageMutex, signalRepository }: InboundParts, parts: WatchParts) {
    this.#parts = parts;
    this.#watchDecryption(signalRepository);

    const lock = messageMutex.mutex.bind(messageMutex);
    messageMutex.mutex = (work) =>
      lock(async () => {
        try {
          return await work();
        } finally {
          if (this.#current !== null && this.#ciphertext) {
            this.#parts.onAbandoned(this.#ciphertext);
          }
          this.settle();
        }
      });
  }

  /** A number for the message that is half done, another one for each; null when there is none. */
  get current(): number | null {
    return this.#current;
  }

  /** What was decrypted of the message that is half done. */
  get ciphertext(): Uint8Array | undefined {
    return this.#ciphertext;
  }

  /** The message has raised its event, or is known not to have been decrypted (the sender will be asked again). */
  settle(): void {
    if (this.#current !== null) {
      this.#current = null;
      this.#ciphertext = undefined;
      this.#parts.onSettled();
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
