import { beforeEach, expect, test, vi } from "vitest";
import { splitReply } from "./split-reply.ts";
import { isSignatureOn, saveSignatureSwitch } from "./signature.ts";

const aFile = (name: string, type = "image/jpeg") => new File(["x"], name, { type });
const photo = (caption = "") => ({ file: aFile("a.jpg"), caption });
const bodies = (messages: ReturnType<typeof splitReply>) =>
  messages.map(({ body, file }) => [body, file?.name ?? null]);
const unsigned = { signature: undefined };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("an empty reply is no message (M-05)", () => {
  expect(splitReply({ text: "  \n ", attachments: [], ...unsigned })).toEqual([]);
  expect(splitReply({ text: "\u200b", attachments: [], signature: "Ana" })).toEqual([]);
});

test("the text is the caption of the first file; each file has its own caption (M-06)", () => {
  const messages = splitReply({ text: " Veja ", attachments: [photo(), photo("dois"), photo()], ...unsigned });
  expect(bodies(messages)).toEqual([
    ["Veja", "a.jpg"],
    ["dois", "a.jpg"],
    ["", "a.jpg"],
  ]);
});

test("a text beside a file with its own caption, or beside audio, is a message of its own (M-06)", () => {
  expect(bodies(splitReply({ text: "Veja", attachments: [photo("um")], ...unsigned }))).toEqual([
    ["um", "a.jpg"],
    ["Veja", null],
  ]);
  const sound = { file: aFile("a.mp3", "audio/mpeg"), caption: "" };
  expect(bodies(splitReply({ text: "Ouça", attachments: [sound], ...unsigned }))).toEqual([
    ["", "a.mp3"],
    ["Ouça", null],
  ]);
});

test("signed: the name in bold, a colon and a newline before every text, and nothing where there is none (M-11)", () => {
  const signature = "Marina Lopes";
  expect(splitReply({ text: "Oi", attachments: [], signature })).toEqual([{ body: "*Marina Lopes*\nOi", file: null }]);
  expect(bodies(splitReply({ text: "Oi", attachments: [photo(), photo("dois"), photo()], signature }))).toEqual([
    ["*Marina Lopes*\nOi", "a.jpg"],
    ["*Marina Lopes*\ndois", "a.jpg"],
    ["", "a.jpg"],
  ]);
});

test("the switch is on until it is switched off, and is kept as signOption (M-11, A-12)", () => {
  expect(isSignatureOn()).toBe(true);
  saveSignatureSwitch(false);
  expect([localStorage.getItem("signOption"), isSignatureOn()]).toEqual(["false", false]);
  saveSignatureSwitch(true);
  expect([localStorage.getItem("signOption"), isSignatureOn()]).toEqual(["true", true]);
});
