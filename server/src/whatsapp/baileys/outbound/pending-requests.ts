import { SendError } from "../../port.ts";

interface PendingRequest<T> {
  readonly settled: Promise<T>;
  /** Ends the wait; must be called in any case. */
  cancel(): void;
}

interface Deferred<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** Requests that wait for an answer, by id. An answer without a pending request is ignored. */
export class PendingRequests<T> {
  readonly #pending = new Map<string, Set<Deferred<T>>>();

  wait(id: string, timeoutMs: number): PendingRequest<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    promise.catch(() => undefined);
    const deferred: Deferred<T> = { resolve, reject };
    const deferreds = this.#pending.get(id) ?? new Set();
    this.#pending.set(id, deferreds.add(deferred));
    const timer = setTimeout(() => reject(new SendError("timeout", true)), timeoutMs);
    return {
      settled: promise,
      cancel: () => {
        clearTimeout(timer);
        deferreds.delete(deferred);
        if (deferreds.size === 0 && this.#pending.get(id) === deferreds) {
          this.#pending.delete(id);
        }
      },
    };
  }

  settle(id: string, value: T): void {
    this.#pending.get(id)?.forEach((deferred) => deferred.resolve(value));
  }

  rejectAll(error: Error): void {
    for (const deferreds of this.#pending.values()) {
      deferreds.forEach((deferred) => deferred.reject(error));
    }
  }
}
