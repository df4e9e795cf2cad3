import { Worker } from "node:worker_threads";
import PQueue from "p-queue";

/** A crafted file can exhaust memory or time: the limits of one run. */
const maxMemoryMb = 512;
const timeoutMs = 60_000;
/** Runs of one kind at the same time in a process, as each may take the memory of its thread; others wait. */
const atOnce = 2;

/**
 * Has a worker's code read something untrusted in a thread of its own, which posts one answer. A thread that posts none (it failed, ended
 * or was stopped at a limit) has answered `failed`. Never rejects.
 */
export function threadRunner<Request, Answer>(worker: URL, failed: Answer): (request: Request) => Promise<Answer> {
  const queue = new PQueue({ concurrency: atOnce });
  return async (request) => queue.add(() => run(worker, request, failed));
}

async function run<Answer>(file: URL, workerData: unknown, failed: Answer): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
  const fail = () => resolve(failed);
  const timer = setTimeout(fail, timeoutMs);
  worker.once("message", resolve);
  worker.once("error", fail);
  worker.once("exit", fail);

  const answer = await promise;
  clearTimeout(timer);
  await worker.terminate();
  return answer;
}
