import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

/** Work that runs until it is told to end, and says when it began. */
function aQueue(atOnce: number) {
  const inTurn = createFairQueue(atOnce);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const bring = (companyId: number, name: string, signal?: AbortSignal) =>
    inTurn(
      companyId,
      async () => {
        begun.push(name);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.set(name, resolve);
        await promise;
        return name;
      },
      signal,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { bring, begun, end };
}

test("a company that brings one thing waits for one of another's, not for all of them (E-01)", async () => {
  const { bring, begun, end } = aQueue(1);
  const all = [bring(1, "a1"), bring(1, "a2"), bring(1, "a3"), bring(2, "b1")];
  await setImmediate();
  expect(begun).toEqual(["a1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1");
  await end("a2");
  await end("a3");
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1"]);
});

test("one company holds one of two places (E-01)", async () => {
  const { bring, begun, end } = aQueue(2);
  void bring(1, "a1");
  void bring(1, "a2");
  void bring(2, "b1");
  await setImmediate();
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "b1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "b1", "a2"]);
  await end("a2");
});

test("an abort takes out what waits; what runs keeps its place until it has ended (E-01)", async () => {
  const { bring, begun, end } = aQueue(1);
  const [running, waiting, behind] = [new AbortController(), new AbortController(), new AbortController()];
  const reason = new Error("gone");
  const first = bring(1, "a1", running.signal);
  const second = bring(1, "a2", waiting.signal);
  const other = bring(2, "b1", behind.signal);
  const last = bring(2, "b2");
  await setImmediate();
  [waiting, behind, running].forEach((controller) => controller.abort(reason));
  await expect(second).rejects.toBe(reason);
  await expect(other).rejects.toBe(reason);
  expect(begun).toEqual(["a1"]);
  await end("a1");
  expect(await first).toBe("a1");
  expect(begun).toEqual(["a1", "b2"]);
  await end("b2");
  await last;
  await expect(bring(1, "a3", AbortSignal.abort(reason))).rejects.toBe(reason);
});
