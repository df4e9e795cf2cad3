import PQueue from "p-queue";

type FairQueue = <T>(companyId: number, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Runs `atOnce` works at a time in this process, and one of each company: the companies take turns, however much one of them brings. An
 * abort takes out what still waits; what runs keeps its place until it has ended, so it must heed the signal itself.
 */
export function createFairQueue(atOnce: number): FairQueue {
  const turns = new PQueue({ concurrency: atOnce });
  const companies = new Map<number, { readonly queue: PQueue; calls: number }>();

  return async (companyId, work, signal) => {
    signal?.throwIfAborted();
    const own = companies.get(companyId) ?? { queue: new PQueue({ concurrency: 1 }), calls: 0 };
    companies.set(companyId, own);
    own.calls += 1;
    const waiting = new AbortController();
    const leave = () => waiting.abort(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    const begin = () => {
      signal?.removeEventListener("abort", leave);
      return work();
    };
    try {
      return await own.queue.add(() => turns.add(begin, { signal: waiting.signal }), { signal: waiting.signal });
    } finally {
      signal?.removeEventListener("abort", leave);
      own.calls -= 1;
      if (own.calls === 0) {
        companies.delete(companyId);
      }
    }
  };
}
