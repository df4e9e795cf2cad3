import type { LineHost, PlacedId } from "../../port.ts";
import { addressOf, jidOf } from "../addresses.ts";
import type { WASocket } from "../library.ts";

type Host = Pick<LineHost, "findStored" | "log">;

/** Ids that are remembered at most: more than WhatsApp delivers in one part of its queue. */
const MOST = 5_000;

/**
 * After a crash WhatsApp sends again what was stored and not confirmed. The key of such a copy is used up, so the library
 * cannot decrypt it and would ask the contact to send it once more: a round trip, a pause under the message mutex, and
 * one stanza more for each, in front of whatever is new. What is stored is not asked for.
 */
export class StoredCopies {
  readonly #host: Host;
  readonly #stored = new Set<string>();
  /** Where each id was seen; null: in several chats, so that the library's question does not say which message it means. */
  readonly #chats = new Map<string, string | null>();
  #unasked: PlacedId[] = [];
  #answer: Promise<void> | undefined;

  /** Only public objects of the socket are touched: `messageRetryManager` and `messageMutex`. */
  constructor(host: Host, { messageRetryManager: retries, messageMutex }: WASocket) {
    this.#host = host;
    if (!retries) {
      return;
    }
    const hasExceeded = retries.hasExceededMaxRetries.bind(retries);
    retries.hasExceededMaxRetries = (waId) => this.#isStored(waId) || hasExceeded(waId);

    const lock = messageMutex.mutex.bind(messageMutex);
    messageMutex.mutex = (work) =>
      lock(async () => {
        if (this.#answer) {
          await this.#answer;
        }
        return work();
      });
  }

  /** A stanza came. Those that WhatsApp had kept are asked for; what comes while the store is asked is the next question. */
  note(waId: string, from: string | undefined, isKept: boolean): void {
    const chat = addressOf(from);
    if (!chat) {
      return;
    }
    const place = jidOf(chat);
    const isElsewhere = this.#chats.has(waId) && this.#chats.get(waId) !== place;
    this.#chats.set(waId, isElsewhere ? null : place);
    if (this.#chats.size > MOST) {
      this.#chats.delete(this.#chats.keys().next().value ?? "");
    }
    if (!isKept) {
      return;
    }
    this.#unasked.push({ waId, chat });
    this.#answer ??= this.#ask().finally(() => {
      this.#answer = undefined;
    });
  }

  #isStored(waId: string): boolean {
    return this.#stored.has(waId) && typeof this.#chats.get(waId) === "string";
  }

  async #ask(): Promise<void> {
    while (this.#unasked.length > 0) {
      for (const waId of await this.#find(this.#unasked.splice(0))) {
        this.#stored.add(waId);
        if (this.#stored.size > MOST) {
          this.#stored.delete(this.#stored.values().next().value ?? "");
        }
      }
    }
  }

  async #find(messages: readonly PlacedId[]): Promise<readonly string[]> {
    try {
      return await this.#host.findStored(messages);
    } catch (error) {
      // Then they are asked for again, which costs time and nothing else.
      this.#host.log.debug({ err: error }, "copies could not be looked up");
      return [];
    }
  }
}
