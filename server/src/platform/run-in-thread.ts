import { Worker } from "node:worker_threads";
import { createFairQueue } from "./fair-queue.ts";

/** A crafted file can exhaust memory or time: the limits of one run. */
const maxMemoryMb = 512;
const timeoutMs = 60_000;
/** Runs of one kind at the same time in a process, as each may take the memory of its thread; others wait. */
const atOnce = 2;

export interface ThreadCaller {
  readonly companyId: number;
  /** Ends the wait or the run, for a caller who has gone. */
  readonly signal?: AbortSignal;
}

/**
 * Has a worker's code read something untrusted in a thread of its own, which posts one answer. A thread that posts none (it failed, ended
 * or was stopped at a limit) has answered `failed`. The companies take turns. Rejects only with the reason of the signal.
 */
export function threadRunner<Request, Answer>(
  worker: URL,
  failed: Answer,
): (request: Request, caller: ThreadCaller) => Promise<Answer> {
  const inTurn = createFairQueue(atOnce);
  return async (request, { companyId, signal }) =>
    inTurn(companyId, () => run(worker, { workerData: request, failed, signal }), signal);
}

interface Run<Answer> {
  readonly workerData: unknown;
  readonly failed: Answer;
  readonly signal: AbortSignal | undefined;
}

async function run<Answer>(file: URL, { workerData, failed, signal }: Run<Answer>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
  const fail = () => resolve(failed);
  const timer = setTimeout(fail, timeoutMs);
  worker.once("message", resolve);
  worker.once("error", fail);
  worker.once("exit", fail);
  const leave = () => reject(signal?.reason as Error);
  signal?.addEventListener("abort", leave, { once: true });

  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
    await worker.terminate();
  }
}
