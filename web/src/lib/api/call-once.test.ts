import { notes } from "@prosa/contract/notes";
import { expect, onTestFinished, test, vi } from "vitest";
import { callOnce } from "./call-once.ts";

/** Sends a note to a server that answers, or whose answer is lost, and gives the key that the request carried. */
async function send(body: { ticketId: number; contactId: number; note: string }, isLost = false): Promise<string> {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(() =>
    isLost ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve(Response.json({ id: 1 })),
  );
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("document", { documentElement: { lang: "pt" } });
  onTestFinished(() => void vi.unstubAllGlobals());
  await callOnce(notes.create, { body }).catch(() => undefined);
  return new Headers(fetch.mock.calls[0]?.[1].headers).get("idempotency-key") ?? "";
}

const lost = (body: Parameters<typeof send>[0]) => send(body, true);

test("what is sent again after a lost answer keeps its key, until it is answered (T-21, O-01)", async () => {
  const note = { ticketId: 7, contactId: 1, note: "ligou" };
  const first = await lost(note);
  expect(first).toHaveLength(36);
  expect(await lost({ ...note })).toBe(first);
  expect(await send({ ...note })).toBe(first);
  expect(await send(note)).not.toBe(first);
});

test("a form that was changed after a lost answer is a new record: its new words are not dropped (O-01)", async () => {
  const note = { ticketId: 8, contactId: 1, note: "Olá" };
  const first = await lost(note);
  expect(await send({ ...note, note: "Olá!" })).not.toBe(first);
  expect(await send(note)).toBe(first);
});

test("the same note written again hours after a lost answer is a second note (T-21)", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
  const note = { ticketId: 9, contactId: 1, note: "não atendeu" };
  const first = await lost(note);
  pass(9);
  expect(await lost(note)).toBe(first);
  pass(9);
  // Each try begins the time anew: an outage may last.
  expect(await lost(note)).toBe(first);
  pass(10);
  expect(await send(note)).not.toBe(first);
});
