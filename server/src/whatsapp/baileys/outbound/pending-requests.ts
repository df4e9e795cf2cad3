import { SendError } from "../../port.ts";

interface Waiter<T> {
  readonly settled: Promise<T>;
  /** Ends the wait; must be called, whatever happened. */
  forget(): void;
}

interface Open<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** Who waits for what answer, by id. An answer that nobody waits for is ignored. */
export class Waiters<T> {
  readonly #open = new Map<string, Set<Open<T>>>();

  wait(id: string, timeoutMs: number): Waiter<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    promise.catch(() => undefined);
    const waiter: Open<T> = { resolve, reject };
    const waiters = this.#open.get(id) ?? new Set();
    this.#open.set(id, waiters.add(waiter));
    const timer = setTimeout(() => reject(new SendError("timeout", true)), timeoutMs);
    return {
      settled: promise,
      forget: () => {
        clearTimeout(timer);
        waiters.delete(waiter);
        if (waiters.size === 0 && this.#open.get(id) === waiters) {
          this.#open.delete(id);
        }
      },
    };
  }

  settle(id: string, value: T): void {
    this.#open.get(id)?.forEach((waiter) => waiter.resolve(value));
  }

  rejectAll(error: Error): void {
    for (const waiters of this.#open.values()) {
      waiters.forEach((waiter) => waiter.reject(error));
    }
  }
}
