import type { LineHost, PlacedId } from "../../port.ts";
import { addressOf, jidOf } from "../addresses.ts";
import type { WASocket } from "../library.ts";

type Host = Pick<LineHost, "findStored" | "log">;

/** Message ids kept at most: more than WhatsApp delivers in one batch of its offline queue. */
const MAX_IDS = 5_000;

/**
 * Suppresses retry requests for redelivered messages that are stored. After a crash WhatsApp redelivers what was stored
 * and not acknowledged. The key of such a copy is used up, so the library cannot decrypt it and would request a retry
 * from the contact: a round trip, a pause under the message mutex, and one more stanza each, ahead of new messages.
 */
export class RetrySuppressor {
  readonly #host: Host;
  readonly #stored = new Set<string>();
  /** The chat of each id; null: seen in several chats, so that the library's call by id does not say which message it means. */
  readonly #chatById = new Map<string, string | null>();
  #toLookUp: PlacedId[] = [];
  #lookup: Promise<void> | undefined;

  /** Hooks into public objects of the socket only: `messageRetryManager` and `messageMutex`. */
  constructor(host: Host, { messageRetryManager: retries, messageMutex }: WASocket) {
    this.#host = host;
    if (!retries) {
      return;
    }
    const hasExceeded = retries.hasExceededMaxRetries.bind(retries);
    retries.hasExceededMaxRetries = (waId) => this.#isKnownStored(waId) || hasExceeded(waId);

    const lock = messageMutex.mutex.bind(messageMutex);
    messageMutex.mutex = (work) =>
      lock(async () => {
        if (this.#lookup) {
          await this.#lookup;
        }
        return work();
      });
  }

  /** Records a message stanza, and looks up those of the offline queue; what arrives during a lookup is looked up next. */
  recordStanza(waId: string, chatJid: string | null | undefined, isOffline: boolean): void {
    const chat = addressOf(chatJid);
    if (!chat) {
      return;
    }
    const jid = jidOf(chat);
    const isElsewhere = this.#chatById.has(waId) && this.#chatById.get(waId) !== jid;
    this.#chatById.set(waId, isElsewhere ? null : jid);
    if (this.#chatById.size > MAX_IDS) {
      this.#chatById.delete(this.#chatById.keys().next().value ?? "");
    }
    if (!isOffline) {
      return;
    }
    this.#toLookUp.push({ waId, chat });
    this.#lookup ??= this.#lookUpStored().finally(() => {
      this.#lookup = undefined;
    });
  }

  #isKnownStored(waId: string): boolean {
    return this.#stored.has(waId) && typeof this.#chatById.get(waId) === "string";
  }

  async #lookUpStored(): Promise<void> {
    while (this.#toLookUp.length > 0) {
      for (const waId of await this.#find(this.#toLookUp.splice(0))) {
        this.#stored.add(waId);
        if (this.#stored.size > MAX_IDS) {
          this.#stored.delete(this.#stored.values().next().value ?? "");
        }
      }
    }
  }

  async #find(messages: readonly PlacedId[]): Promise<readonly string[]> {
    try {
      return await this.#host.findStored(messages);
    } catch (error) {
      // Then retries are requested, which costs time and nothing else.
      this.#host.log.debug({ err: error }, "redelivered messages could not be looked up");
      return [];
    }
  }
}
