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

  mset(entries: readonly { readonly key: string; readonly value: unknown }[]): void {
    entries.forEach(({ key, value }) => this.set(key, value));
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
