import { AsyncLocalStorage } from "node:async_hooks";
import { LRUCache } from "lru-cache";

const FRESH_MS = 5 * 60_000;
const MAX_LISTS = 3_000;

/**
 * The library's cache of device lists, by user. A stale list stays until there is another: a message that was addressed by
 * it a moment ago must not find an empty list, and be sent to no device.
 */
export class DeviceListCache {
  readonly #lists = new LRUCache<string, { readonly devices: unknown; readonly freshUntil: number }>({
    max: MAX_LISTS,
  });
  readonly #queriedUsers = new AsyncLocalStorage<readonly string[]>();

  isFresh(user: string): boolean {
    return (this.#lists.peek(user)?.freshUntil ?? 0) > Date.now();
  }

  /** Of several users: read where the library addresses a message. */
  async mget<T>(users: string[]): Promise<Record<string, T | undefined>> {
    return Object.fromEntries(users.map((user) => [user, this.#lists.get(user)?.devices as T | undefined]));
  }

  /** Of one user: read where the library applies a notification of a change, which needs a fresh list. */
  get<T>(user: string): T | undefined {
    return this.isFresh(user) ? (this.#lists.get(user)?.devices as T) : undefined;
  }

  set(user: string, devices: unknown): void {
    this.#lists.set(user, { devices, freshUntil: Date.now() + FRESH_MS });
  }

  /** The result of a query: it names only users that have devices. */
  mset(entries: readonly { readonly key: string; readonly value: unknown }[]): void {
    const named = new Set(entries.map(({ key }) => key));
    const unnamed = (this.#queriedUsers.getStore() ?? []).filter((user) => !named.has(user));
    unnamed.forEach((user) => this.#lists.set(user, { devices: [], freshUntil: 0 }));
    entries.forEach(({ key, value }) => this.set(key, value));
  }

  /**
   * Runs a device query for these users. A user that its result leaves out has no device: an empty list is cached for the
   * message that is being sent, so that the library does not query while it holds the lock of all sends.
   */
  runQuery<T>(users: readonly string[], query: () => Promise<T>): Promise<T> {
    return this.#queriedUsers.run(users, query);
  }

  del(user: string): void {
    const cached = this.#lists.peek(user);
    if (cached) {
      this.#lists.set(user, { ...cached, freshUntil: 0 });
    }
  }

  flushAll(): void {
    [...this.#lists.keys()].forEach((user) => this.del(user));
  }
}
