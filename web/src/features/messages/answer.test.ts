import { beforeEach, expect, test, vi } from "vitest";
import { piecesOf } from "./answer.ts";
import { isSigning, keepSigning } from "./signature.ts";

const aFile = (name: string, type = "image/jpeg") => new File(["x"], name, { type });
const photo = (caption = "") => ({ file: aFile("a.jpg"), caption });
const bodies = (pieces: ReturnType<typeof piecesOf>) => pieces.map(({ body, file }) => [body, file?.name ?? null]);
const unsigned = { signature: undefined };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("an empty answer is no message (M-05)", () => {
  expect(piecesOf({ text: "  \n ", attachments: [], ...unsigned })).toEqual([]);
  expect(piecesOf({ text: "\u200b", attachments: [], signature: "Ana" })).toEqual([]);
});

test("a text stands with the first file; each file has its own caption (M-06)", () => {
  const pieces = piecesOf({ text: " Veja ", attachments: [photo(), photo("dois"), photo()], ...unsigned });
  expect(bodies(pieces)).toEqual([
    ["Veja", "a.jpg"],
    ["dois", "a.jpg"],
    ["", "a.jpg"],
  ]);
});

test("a text beside a file with words of its own, or beside a sound, is a message of its own (M-06)", () => {
  expect(bodies(piecesOf({ text: "Veja", attachments: [photo("um")], ...unsigned }))).toEqual([
    ["um", "a.jpg"],
    ["Veja", null],
  ]);
  const sound = { file: aFile("a.mp3", "audio/mpeg"), caption: "" };
  expect(bodies(piecesOf({ text: "Ouça", attachments: [sound], ...unsigned }))).toEqual([
    ["", "a.mp3"],
    ["Ouça", null],
  ]);
});

test("signed: the name in bold, a colon and a newline before every text, and nothing where there is none (M-11)", () => {
  const signature = "Marina Lopes";
  expect(piecesOf({ text: "Oi", attachments: [], signature })).toEqual([{ body: "*Marina Lopes*\nOi", file: null }]);
  expect(bodies(piecesOf({ text: "Oi", attachments: [photo(), photo("dois"), photo()], signature }))).toEqual([
    ["*Marina Lopes*\nOi", "a.jpg"],
    ["*Marina Lopes*\ndois", "a.jpg"],
    ["", "a.jpg"],
  ]);
});

test("the switch is on until it is switched off, and is kept as signOption (M-11, A-12)", () => {
  expect(isSigning()).toBe(true);
  keepSigning(false);
  expect([localStorage.getItem("signOption"), isSigning()]).toEqual(["false", false]);
  keepSigning(true);
  expect([localStorage.getItem("signOption"), isSigning()]).toEqual(["true", true]);
});
