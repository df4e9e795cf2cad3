import { expect, test } from "vitest";
import { threadRunner } from "./run-in-thread.ts";

/** Answers when the first number of its memory is no longer 0. */
const waits = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from "node:worker_threads";
    Atomics.wait(new Int32Array(workerData.memory), 0, 0);
    parentPort.postMessage(workerData.name);
  `)}`,
);

const memoryOf = () => new Int32Array(new SharedArrayBuffer(4));

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

test("a company's file is read while another's three are, one after the other (C-03, E-01)", async () => {
  const read = threadRunner<{ name: string; memory: ArrayBufferLike }, string>(waits, "failed");
  const [closed, opened] = [memoryOf(), memoryOf()];
  open(opened);
  const ended: string[] = [];
  const long = ["a1", "a2", "a3"].map((name) =>
    read({ name, memory: closed.buffer }, { companyId: 1 }).then((answer) => ended.push(answer)),
  );
  expect(await read({ name: "b1", memory: opened.buffer }, { companyId: 2 })).toBe("b1");
  expect(ended).toEqual([]);
  open(closed);
  await Promise.all(long);
  expect(ended).toEqual(["a1", "a2", "a3"]);
});

test("the run of a caller who has gone ends, and the next one begins (C-03, E-01)", async () => {
  const read = threadRunner<{ name: string; memory: ArrayBufferLike }, string>(waits, "failed");
  const [closed, opened] = [memoryOf(), memoryOf()];
  open(opened);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = read({ name: "a1", memory: closed.buffer }, { companyId: 1, signal: running.signal });
  const second = read({ name: "a2", memory: closed.buffer }, { companyId: 1, signal: waiting.signal });
  const third = read({ name: "a3", memory: opened.buffer }, { companyId: 1 });
  const reason = new Error("gone");
  waiting.abort(reason);
  await expect(second).rejects.toBe(reason);
  running.abort(reason);
  await expect(first).rejects.toBe(reason);
  expect(await third).toBe("a3");
});
