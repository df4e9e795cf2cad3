import { expect, onTestFinished, test, vi } from "vitest";
import { withClientId } from "./client-ids.ts";

const answered = (content: unknown) => withClientId(content, (id) => Promise.resolve(id));
async function lost(content: unknown): Promise<string> {
  let used = "";
  await withClientId(content, (id) => {
    used = id;
    return Promise.reject(new Error("no answer"));
  }).catch(() => undefined);
  return used;
}

test("what is sent again after a lost answer keeps its id, until it is answered (T-21, O-01)", async () => {
  const note = { ticketId: 7, note: "ligou" };
  const first = await lost(note);
  expect(await lost({ ...note })).toBe(first);
  expect(await answered({ ...note })).toBe(first);
  expect(await answered(note)).not.toBe(first);
});

test("a form that was changed after a lost answer is a new record: its new words are not dropped (O-01)", async () => {
  const first = await lost({ message: "Olá" });
  expect(await answered({ message: "Olá!" })).not.toBe(first);
  expect(await answered({ message: "Olá" })).toBe(first);
});

test("the same note written again hours after a lost answer is a second note (T-21)", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const note = { ticketId: 8, note: "não atendeu" };
  const first = await lost(note);
  vi.advanceTimersByTime(9 * 60_000);
  expect(await lost(note)).toBe(first);
  vi.advanceTimersByTime(9 * 60_000);
  // Each try begins the time anew: an outage may last.
  expect(await lost(note)).toBe(first);
  vi.advanceTimersByTime(10 * 60_000);
  expect(await answered(note)).not.toBe(first);
});
