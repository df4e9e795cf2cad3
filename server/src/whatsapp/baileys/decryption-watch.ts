import type { WASocket } from "./library.ts";

/** The public objects of a socket that handle inbound messages. */
export type InboundParts = Pick<WASocket, "messageMutex" | "signalRepository">;

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
  readonly #onSettled: () => void;

  /** `onSettled` is told each time a message stops being half done. */
  constructor({ messageMutex, signalRepository }: InboundParts, onSettled: () => void) {
    this.#onSettled = onSettled;
    this.#watchDecryption(signalRepository);

    const lock = messageMutex.mutex.bind(messageMutex);
    messageMutex.mutex = (work) =>
      lock(async () => {
        try {
          return await work();
        } finally {
          // Thrown away by the library, for instance because the socket closed: nothing more will come of it.
          this.settle();
        }
      });
  }

  /** A number for the message that is half done, another one for each; null when there is none. */
  get current(): number | null {
    return this.#current;
  }

  /** The message has raised its event, or is known not to have been decrypted (the sender will be asked again). */
  settle(): void {
    if (this.#current !== null) {
      this.#current = null;
      this.#onSettled();
    }
  }

  #watchDecryption(repository: InboundParts["signalRepository"]): void {
    const { decryptMessage, decryptGroupMessage } = repository;
    repository.decryptMessage = (parts) => {
      this.#begin();
      return decryptMessage.call(repository, parts);
    };
    repository.decryptGroupMessage = (parts) => {
      this.#begin();
      return decryptGroupMessage.call(repository, parts);
    };
  }

  #begin(): void {
    this.#count += 1;
    this.#current = this.#count;
  }
}
