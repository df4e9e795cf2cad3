import { expect, test } from "vitest";
import { linesOf, type PreviewAnswer, type PreviewEvent, type PreviewTurn } from "./preview-turns.ts";

const at = new Date("2026-11-18T13:30:00Z");
const queue = { id: 7, name: "Vendas", color: "#0c7a5a" };

function said(...texts: readonly string[]): PreviewAnswer["messages"] {
  return texts.map((text) => ({ text, mediaName: null, mediaUrl: null, mediaType: null }));
}

function played(happened: PreviewEvent, answer: Partial<PreviewAnswer> = {}): PreviewTurn {
  const nothing = {
    state: {},
    messages: said(),
    outcome: "bot",
    queue: null,
    assistant: null,
    rating: null,
    isTooEarly: false,
  } as const;
  return { happened, played: { at, answer: { ...nothing, at: at.toISOString(), ...answer } } };
}

const writes = (text: string) => ({ event: "message", kind: "text", text }) as const;
const shown = (...turns: readonly PreviewTurn[]) => linesOf(turns).map(({ by }) => by);

test("a conversation begins with its time; each answer stands below what it answers (B-01)", () => {
  const turns = [played(writes("oi"), { messages: said("Menu") }), { happened: writes("tudo bem?") }];
  expect(linesOf(turns)).toEqual([
    { by: "clock", at, isHourLater: false },
    { by: "customer", kind: "text", text: "oi" },
    { by: "bot", message: said("Menu")[0] },
    { by: "customer", kind: "text", text: "tudo bem?" },
  ]);
  expect(shown({ happened: writes("oi") }, played(writes("tudo bem?"), { messages: said("Menu") }))).toEqual([
    ...["customer", "clock", "customer", "bot"],
  ]);
});

test("what the server did not answer is said to have failed, and no time has passed (B-03)", () => {
  const first = played(writes("oi"), { messages: said("Menu") });
  expect(shown(first, { happened: writes("1"), hasFailed: true })).toEqual([
    ...["clock", "customer", "bot", "customer", "failure"],
  ]);
  expect(shown(first, { happened: { event: "hourLater" }, hasFailed: true })).toEqual([
    ...["clock", "customer", "bot", "failure"],
  ]);
});

test("silence is told after a message, with its reason; not after an hour (B-03)", () => {
  const first = played(writes("oi"), { messages: said("Menu") });
  const reasonOf = (outcome: PreviewAnswer["outcome"], isTooEarly = false) =>
    linesOf([first, played(writes("?"), { outcome, isTooEarly })]).find(({ by }) => by === "silence");
  expect(reasonOf("bot")).toMatchObject({ reason: "silent" });
  expect(reasonOf("bot", true)).toMatchObject({ reason: "tooEarly" });
  expect(reasonOf("assistant")).toMatchObject({ reason: "assistantSilent" });
  expect(reasonOf("closed")).toMatchObject({ reason: "staysResolved" });
  expect(shown(first, played({ event: "hourLater" }))).toEqual(["clock", "customer", "bot", "clock"]);
});

test("an hour later shows the later time, and where the timer moved the conversation (B-03)", () => {
  const later = "2026-11-18T14:30:00.000Z";
  const moved = played({ event: "hourLater" }, { at: later, messages: said("Movida"), outcome: "person", queue });
  expect(linesOf([played(writes("oi"), { messages: said("Menu") }), moved]).slice(3)).toEqual([
    { by: "clock", at: new Date(later), isHourLater: true },
    { by: "bot", message: said("Movida")[0] },
    { by: "status", outcome: "person", queue, assistant: null },
  ]);
});

test("hand-over is noted once; a resolve, a rating and a new conversation each have a line (B-02, B-03)", () => {
  const turns = [
    played(writes("oi"), { messages: said("Aguarde"), outcome: "person" }),
    played(writes("alô"), { outcome: "person" }),
    played({ event: "resolved" }, { messages: said("De 1 a 3?"), outcome: "closed" }),
    played(writes("*3*"), { messages: said("Obrigado"), outcome: "closed", rating: 3 }),
    played({ event: "message", kind: "sticker", text: "" }, { outcome: "closed" }),
    played(writes("preciso de ajuda"), { messages: said("Menu") }),
  ];
  expect(shown(...turns)).toEqual([
    ...["clock", "customer", "bot", "status"],
    ...["customer", "silence"],
    ...["agent", "bot"],
    ...["customer", "bot", "rating"],
    ...["customer", "silence"],
    ...["customer", "reopening", "bot"],
  ]);
});
