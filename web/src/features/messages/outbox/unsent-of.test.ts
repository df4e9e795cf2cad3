import { expect, test } from "vitest";
import type { OutboxEntry } from "./outbox.ts";
import { SLOW_MS, unsentOf } from "./unsent-of.ts";

const anEntry = (more: Partial<OutboxEntry>): OutboxEntry => ({
  clientId: "",
  ticketId: 1,
  userId: 1,
  body: "oi",
  file: null,
  quotedMsgId: null,
  writtenAt: 0,
  state: "waiting",
  failure: null,
  progress: 0,
  ...more,
});
const aFile = (name: string, type: string) => ({ blob: new Blob([""], { type }), name, isVoice: false });

const unsent = (...entries: Partial<OutboxEntry>[]) => Object.fromEntries(unsentOf(entries.map(anEntry), SLOW_MS));

test("a row says what waits in the outbox, the newest words of its conversation, once that takes long (Z-02)", () => {
  expect(unsent({ writtenAt: 1 })).toEqual({});
  expect(unsent({}, { body: "e aí?", writtenAt: 1 }, { ticketId: 2, state: "sending" })).toEqual({
    1: { isFailed: false, text: "e aí?", type: "chat" },
    2: { isFailed: false, text: "oi", type: "chat" },
  });
});

test("a failed message comes before those that wait, and is said at once (Z-02)", () => {
  expect(unsent({ body: "recusada", state: "failed", writtenAt: 1 }, { body: "espera" })).toEqual({
    1: { isFailed: true, text: "recusada", type: "chat" },
  });
});

test.each([
  ["foto.jpg", "image/jpeg", "image"],
  ["voz.mp3", "audio/mpeg", "audio"],
  ["boleto.pdf", "application/pdf", "application"],
  ["notas.txt", "text/plain", "application"],
  ["sem-tipo", "", "application"],
])("a file without a caption is named, with its kind: %s (Z-02)", (name, mime, type) => {
  expect(unsent({ body: "", file: aFile(name, mime) })).toEqual({ 1: { isFailed: false, text: name, type } });
});
