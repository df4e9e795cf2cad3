import { AsyncLocalStorage } from "node:async_hooks";
import { LRUCache } from "lru-cache";

const FRESH_MS = 5 * 60_000;
const MOST_LISTS = 3_000;

/**
 * The devices of people, by user, where the library looks for them and leaves them. A list that is no longer trusted
 * stays until there is another: a message that was addressed by it a moment ago must not find nothing, and go to nobody.
 */
export class DeviceLists {
  readonly #lists = new LRUCache<string, { readonly devices: unknown; readonly freshUntil: number }>({
    max: MOST_LISTS,
  });
  readonly #asked = new AsyncLocalStorage<readonly string[]>();

  isFresh(user: string): boolean {
    return (this.#lists.peek(user)?.freshUntil ?? 0) > Date.now();
  }

  /** Of several at once: where the library addresses a message. */
  async mget<T>(users: string[]): Promise<Record<string, T | undefined>> {
    return Object.fromEntries(users.map((user) => [user, this.#lists.get(user)?.devices as T | undefined]));
  }

  /** Of one: where the library applies WhatsApp's notice of a change, which needs a list that is right. */
  get<T>(user: string): T | undefined {
    return this.isFresh(user) ? (this.#lists.get(user)?.devices as T) : undefined;
  }

  set(user: string, devices: unknown): void {
    this.#lists.set(user, { devices, freshUntil: Date.now() + FRESH_MS });
  }

  /** An answer, which names who has devices. */
  mset(entries: readonly { readonly key: string; readonly value: unknown }[]): void {
    const named = new Set(entries.map(({ key }) => key));
    const unnamed = (this.#asked.getStore() ?? []).filter((user) => !named.has(user));
    unnamed.forEach((user) => this.#lists.set(user, { devices: [], freshUntil: 0 }));
    entries.forEach(({ key, value }) => this.set(key, value));
  }

  /**
   * Runs a question for these users. Whom its answer leaves out has no device: the library finds that here, and does not
   * ask itself while it holds the lock of all sends. It is not trusted any longer than for this one message.
   */
  asking<T>(users: readonly string[], question: () => Promise<T>): Promise<T> {
    return this.#asked.run(users, question);
  }

  del(user: string): void {
    const known = this.#lists.peek(user);
    if (known) {
      this.#lists.set(user, { ...known, freshUntil: 0 });
    }
  }

  flushAll(): void {
    [...this.#lists.keys()].forEach((user) => this.del(user));
  }
}
