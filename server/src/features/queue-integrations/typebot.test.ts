import { expect, test } from "vitest";
import { playTypebot } from "./protocols/index.ts";
import type { Caller, Talk } from "./protocols/index.ts";

const lines = Array.from({ length: 50 }, (_, index) => `Bolo de ${"sabor ".repeat(30)}${index}`.slice(0, 200));

/** What a customer says to a flow that asked them something. */
function talkOf(text: string, asked: Partial<Talk["session"]> = {}): Talk {
  const at = new Date("2026-11-26T00:00:00Z");
  return {
    integration: {
      ...{
        id: 1,
        name: "Bolos",
        url: "https://t.example",
        secret: "",
        typebotSlug: "b",
        delayMs: 0,
        expiresMinutes: 0,
      },
      ...{ keywordFinish: "", keywordRestart: "", restartMessage: "", unknownMessage: "" },
      ...{ projectName: "", location: "global", language: "pt-BR", account: "" },
    },
    said: [{ id: 1, type: "chat", text, mediaUrl: null, mimeType: null, fileName: null, sentAt: "" }],
    ...{ contact: { id: 1, name: "Maria", number: null, email: "" }, ticket: null, connection: null },
    session: { id: "s", choices: [], isMultiple: true, question: null, contexts: null, usedAt: at, ...asked },
    ...{ conversation: "c", isRepeated: false, farewell: "", at },
  };
}

/** What a flow that asks for some of these lines is told of a text, and how long (ms) we thought about it. */
async function toldOf(text: string, choices: readonly string[] = lines) {
  const began = performance.now();
  const told = await toldIn(talkOf(text, { choices }));
  return { told, ms: performance.now() - began };
}

/** What the flow is told in a talk. */
async function toldIn(talk: Talk): Promise<string | undefined> {
  const told: string[] = [];
  const caller: Caller = {
    post: async (_, { body }) => {
      told.push((JSON.parse(body) as { readonly message: { readonly text: string } }).message.text);
      return {
        status: 200,
        retryAfter: undefined,
        isCut: false,
        text: '{"messages":[],"input":{"type":"text input"}}',
      };
    },
  };
  await playTypebot(talk, caller);
  return told[0];
}

test("typebot: several lines are chosen by their numbers and words, and a text of nothing but commas costs no time (O-09)", async () => {
  const flavours = ["Cenoura", "Coco", "Chocolate"];
  expect((await toldOf("1, coco e 3", flavours)).told).toBe("Cenoura, Coco, Chocolate");
  // more answers than there are lines
  expect((await toldOf("1,2,3,1", flavours)).told).toBe("1,2,3,1");
  expect((await toldOf("1,banana", flavours)).told).toBe("1,banana");
  // the longest text of WhatsApp: each comma would compare all lines
  for (const text of [",".repeat(65_536), "1,".repeat(32_768), " e ".repeat(20_000)]) {
    const { told, ms } = await toldOf(text);
    expect(told).toBe(text);
    expect(ms).toBeLessThan(500);
  }
});

test("typebot: of a burst the line that was meant last is chosen, as in our own menus (O-09, B-01)", async () => {
  const flavours = ["Cenoura", "Coco", "Chocolate"];
  const burst = (isMultiple: boolean, ...texts: string[]) => {
    const talk = talkOf("", { choices: flavours, isMultiple });
    const [first] = talk.said;
    return toldIn({ ...talk, said: texts.map((text) => ({ ...first!, text })) });
  };
  expect(await burst(false, "1", "o 2", "obrigada")).toBe("Coco");
  expect(await burst(false, "o", "chocolate")).toBe("Chocolate");
  expect(await burst(false, "oi", "chocolate", "rápido por favor")).toBe("Chocolate");
  expect(await burst(false, "1", "2")).toBe("Coco");
  expect(await burst(true, "1", "2")).toBe("Cenoura, Coco");
  expect(await burst(false, "oi", "tudo bem?")).toBe("oi\ntudo bem?");
  const many = Array.from({ length: 100 }, () => "1,".repeat(500));
  const began = performance.now();
  await burst(true, ...many);
  expect(performance.now() - began).toBeLessThan(500);
});

test("typebot: what was interrupted is looked into before a text that no line means, but not at a file that may be left out (O-09)", async () => {
  const bodies: string[] = [];
  const caller: Caller = {
    post: async (_, { body }) => {
      bodies.push(body);
      const input = { id: "foto", type: "file input", options: { isRequired: false } };
      return { status: 200, retryAfter: undefined, isCut: false, text: JSON.stringify({ messages: [], input }) };
    },
  };
  const asked = talkOf("1\nmeu nome é Ana", { choices: ["Cenoura"], question: "sabor" });
  const { integration } = asked;
  const again = { ...asked, isRepeated: true, integration: { ...integration, unknownMessage: "Não entendi" } };
  await expect(playTypebot(again, caller)).rejects.toThrow("answer lost");
  expect(bodies).toHaveLength(1);

  const { session = null } = await playTypebot(talkOf("oi"), caller);
  expect(session?.question).toBeNull();
  await playTypebot({ ...talkOf("Ana"), session, isRepeated: true }, caller);
  expect(bodies).toHaveLength(3);
});
