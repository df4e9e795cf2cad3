import { notes } from "@prosa/contract/notes";
import { tags } from "@prosa/contract/tags";
import { expect, onTestFinished, test, vi } from "vitest";
import { call, endSession } from "#web/lib/session/session.ts";
import { callOnce } from "./call-once.ts";
import { unanswered } from "./unanswered.ts";

type Note = { readonly ticketId: number; readonly contactId: number; readonly note: string };

/** The server that answers so, or whose answers are lost (null). */
function aServer(answer: (() => Response) | null) {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(() =>
    answer ? Promise.resolve(answer()) : Promise.reject(new TypeError("Failed to fetch")),
  );
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("document", { documentElement: { lang: "pt" } });
  onTestFinished(() => void vi.unstubAllGlobals());
  return fetch;
}

const done = () => Response.json({ id: 1 });

/** Sends a note, and gives the key that the request carried. */
async function send(body: Note, answer: (() => Response) | null = done): Promise<string> {
  const fetch = aServer(answer);
  await callOnce(notes.create, { body }).catch(() => undefined);
  return new Headers(fetch.mock.calls[0]?.[1].headers).get("idempotency-key") ?? "";
}

const lost = (body: Note) => send(body, null);
const refused = (body: Note) => send(body, () => Response.json({ error: "ERR_VALIDATION" }, { status: 400 }));

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

test("what is deleted or changed after a lost answer is made again: its first answer names what is no more (T-21, O-01)", async () => {
  const note = { ticketId: 10, contactId: 1, note: "ligar amanhã" };
  const first = await lost(note);
  aServer(done);
  await call(tags.update, { params: { id: 1 }, body: { name: "Outra" } });
  expect(await lost(note)).toBe(first);
  aServer(null);
  await call(notes.remove, { params: { id: 1 } }).catch(() => undefined);
  expect(await lost(note)).toBe(first);
  aServer(done);
  await call(notes.remove, { params: { id: 1 } });
  expect(await send(note)).not.toBe(first);
});

test("the page keeps nothing of what was refused, nor of old requests and of who has signed out (A-05)", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  unanswered.clear();
  const [password, other] = ["senha", "outra"].map((note) => ({ ticketId: 11, contactId: 1, note })) as [Note, Note];
  await refused(password);
  expect(unanswered.size).toBe(0);

  // a refusal of the second try says nothing of the first one, which the server may have done
  const first = await lost(password);
  await refused(password);
  expect(await lost(password)).toBe(first);

  vi.setSystemTime(Date.now() + 10 * 60_000);
  await lost(other);
  expect([...unanswered.keys()].join()).not.toContain("senha");
  endSession();
  expect(unanswered.size).toBe(0);
});
