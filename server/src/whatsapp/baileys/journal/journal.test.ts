import { afterEach, expect, test, vi } from "vitest";
import { LeaseLostError } from "../../port.ts";
import type { JournalEntry } from "../../port.ts";
import { WriteBarrier } from "./write-barrier.ts";
import { Journal } from "./journal.ts";

const ratchet: JournalEntry = { kind: "keys", writes: [{ type: "session", id: "ana", value: "{}" }] };
const newPreKey: JournalEntry = { kind: "keys", writes: [{ type: "pre-key", id: "7", value: "{}" }] };
const usedPreKey: JournalEntry = { kind: "keys", writes: [{ type: "pre-key", id: "7", value: null }] };
const mapping: JournalEntry = { kind: "keys", writes: [{ type: "lid-mapping", id: "ana", value: "1" }] };
const status: JournalEntry = {
  kind: "event",
  event: { type: "status", waIds: ["A"], status: 1, reason: null },
};
const message: JournalEntry = { kind: "creds", value: "stands for any entry" };

afterEach(() => {
  vi.useRealTimers();
});

/** A journal over a list of commits, with a message in work and a socket that the test controls. */
function aJournal(commit: (entries: readonly JournalEntry[]) => Promise<void> = async () => undefined) {
  const commits: (readonly JournalEntry[])[] = [];
  const troubles: string[] = [];
  const socket = { isWhole: true, isReading: false, halfDone: 1 as number | null };
  const journal: Journal = new Journal({
    async commit(entries) {
      await commit(entries);
      commits.push(entries);
    },
    messageInWork: () => socket.halfDone,
    abandonMessageInWork: () => {
      socket.halfDone = null;
    },
    isReading: () => socket.isReading,
    isSocketAlive: () => socket.isWhole,
    onDurable: () => undefined,
    onCommitted: () => undefined,
    onProblem: (trouble) => void troubles.push(trouble),
    isFatal: (error) => error instanceof LeaseLostError,
  });
  return { journal, commits, troubles, socket };
}

test("a ratchet waits for the message that moved it, and both are one commit", async () => {
  const { journal, commits } = aJournal();
  journal.put(ratchet);
  journal.advance();
  expect(commits).toEqual([]);

  journal.put(message);
  journal.cutHere();
  await journal.whenIdle();
  expect(commits).toEqual([[ratchet, message]]);
});

test("an entry that moves no ratchet does not wait", async () => {
  const { journal, commits } = aJournal();
  journal.put(mapping);
  journal.advance();
  await journal.whenIdle();
  expect(commits).toEqual([[mapping]]);
});

test("new pre-keys do not wait; the deletion of one that a message used waits for that message", async () => {
  const { journal, commits } = aJournal();
  journal.put(newPreKey);
  journal.advance();
  await journal.whenIdle();
  journal.put(usedPreKey);
  journal.advance();
  expect(commits).toEqual([[newPreKey]]);
  journal.abandon();
});

test("behind a moved ratchet everything waits until no message is in work", async () => {
  const { journal, commits, socket } = aJournal();
  journal.put(ratchet);
  journal.put(status);
  journal.advance();
  expect(commits).toEqual([]);

  socket.halfDone = null;
  journal.advance();
  await journal.whenIdle();
  expect(commits).toEqual([[ratchet, status]]);
});

test("after the socket has closed, work behind the cut is dropped as in a crash; events are kept", async () => {
  const { journal, commits, socket } = aJournal();
  journal.put(ratchet);
  journal.put(status);
  journal.advance();
  socket.isWhole = false;
  socket.halfDone = null;
  journal.advance();
  await journal.freeze();
  expect(commits).toEqual([[status]]);

  journal.put(message);
  journal.cutHere();
  await journal.whenIdle();
  expect(commits).toHaveLength(1);
});

test("a commit that fails is tried again with the same entries, first of all", async () => {
  let failures = 2;
  const { journal, commits, troubles } = aJournal(async () => {
    failures -= 1;
    if (failures >= 0) {
      throw new Error("the database is away");
    }
  });
  journal.put(mapping);
  journal.advance();
  journal.put(status);
  journal.advance();
  await journal.whenIdle();
  expect(commits).toEqual([[mapping], [status]]);
  expect(troubles).toEqual(["commitFailed", "commitFailed"]);
});

test("a lost lease ends the journal: nothing is retried", async () => {
  let tries = 0;
  const { journal, commits } = aJournal(async () => {
    tries += 1;
    throw new LeaseLostError("taken over");
  });
  journal.put(mapping);
  journal.advance();
  await journal.whenIdle();
  journal.put(status);
  journal.advance();
  await journal.whenIdle();
  expect({ tries, commits }).toEqual({ tries: 1, commits: [] });
});

test("a ratchet that a send moved is durable at once while no message is in work", async () => {
  const { journal, commits, socket } = aJournal();
  socket.halfDone = null;
  journal.put(ratchet);
  journal.advance();
  await journal.whenIdle();
  expect(commits).toEqual([[ratchet]]);
});

test("a message that is stuck holds nothing back for longer than two seconds, and raises one alarm", async () => {
  vi.useFakeTimers();
  const { journal, commits, troubles } = aJournal();
  journal.put(ratchet);
  journal.advance();
  await vi.advanceTimersByTimeAsync(1_900);
  expect(commits).toEqual([]);

  await vi.advanceTimersByTimeAsync(500);
  expect(commits).toEqual([[ratchet]]);
  journal.put(ratchet);
  journal.advance();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(commits).toEqual([[ratchet], [ratchet]]);
  expect(troubles).toEqual(["messageStuck"]);
});

test("during a database outage no message counts as stuck", async () => {
  vi.useFakeTimers();
  const answer = Promise.withResolvers<void>();
  const { journal, commits, troubles, socket } = aJournal(() => answer.promise);
  journal.put(mapping);
  journal.advance();
  journal.put(ratchet);
  journal.advance();
  await vi.advanceTimersByTimeAsync(10_000);
  expect({ commits, troubles }).toEqual({ commits: [], troubles: [] });

  answer.resolve();
  await vi.advanceTimersByTimeAsync(1_000);
  socket.isReading = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(troubles).toEqual([]);

  socket.isReading = false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(troubles).toEqual(["messageStuck"]);
});

test("messages that are handled one after another are not stuck, however many there are", async () => {
  vi.useFakeTimers();
  const { journal, troubles, socket } = aJournal();
  journal.put(ratchet);
  journal.advance();
  for (let copy = 2; copy < 22; copy += 1) {
    await vi.advanceTimersByTimeAsync(500);
    socket.halfDone = copy;
  }
  expect(troubles).toEqual([]);
});

test("in a process that was paused for longer than the bound nothing counts as stuck", async () => {
  const { journal, troubles, socket } = aJournal();
  journal.put(ratchet);
  journal.advance();
  const until = performance.now() + 2_600;
  while (performance.now() < until) {
    // nothing else runs meanwhile, as without a processor
  }
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(troubles).toEqual([]);
  socket.halfDone = null;
  journal.advance();
  await journal.whenIdle();
});

test("large journals are committed in parts, each at a consistent cut", async () => {
  const { journal, commits } = aJournal();
  for (let index = 0; index < 1_000; index += 1) {
    journal.put(ratchet);
    journal.put(message);
    journal.cutHere();
  }
  await journal.whenIdle();
  expect(commits.flat()).toHaveLength(2_000);
  expect(Math.max(...commits.map((entries) => entries.length))).toBeLessThanOrEqual(400);
  expect(commits.every((entries) => entries.at(-1) === message)).toBe(true);
});

test("a held journal collects cuts for one commit, until it is released or the time is over", async () => {
  vi.useFakeTimers();
  const { journal, commits } = aJournal();
  journal.hold(1_000);
  journal.put(mapping);
  journal.advance();
  journal.put(status);
  journal.advance();
  expect(commits).toEqual([]);
  journal.release();
  await journal.whenIdle();
  expect(commits).toEqual([[mapping, status]]);

  journal.hold(1_000);
  journal.put(mapping);
  journal.advance();
  await vi.advanceTimersByTimeAsync(999);
  expect(commits).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(commits).toHaveLength(2);
});

test("a held journal commits when a transaction is full, and when its socket closes", async () => {
  const { journal, commits } = aJournal();
  journal.hold(60_000);
  for (let index = 0; index < 200; index += 1) {
    journal.put(ratchet);
    journal.put(message);
    journal.cutHere();
  }
  await expect.poll(() => commits.flat().length).toBe(400);

  journal.put(status);
  journal.advance();
  await journal.freeze();
  expect(commits.at(-1)).toEqual([status]);
});

test("a frame is sent when everything journaled before it is durable, and not earlier", async () => {
  const sent: string[] = [];
  const raw = { readyState: 1, send: (data: Uint8Array) => void sent.push(Buffer.from(data).toString()) };
  let position = 0;
  const barrier = new WriteBarrier(
    raw,
    () => position,
    () => undefined,
  );
  raw.send(Buffer.from("receipt"));
  // Its event comes a moment after the frame was written.
  await Promise.resolve();
  position = 1;
  raw.send(Buffer.from("ping"));
  await expect.poll(() => barrier.hasUnpositionedFrames).toBe(false);
  expect(sent).toEqual([]);

  barrier.release(1);
  expect(sent).toEqual(["receipt", "ping"]);
  await barrier.whenEmpty();
});
