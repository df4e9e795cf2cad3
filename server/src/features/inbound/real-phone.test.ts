import type { Message, Ticket } from "@prosa/contract";
import type { WaSim } from "@prosa/wa-sim";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aRealLine } from "#server/testing/real-line.ts";
import type { RealLine } from "#server/testing/real-line.ts";

let line: RealLine;
let sim: WaSim;
let app: TestApp;
let admin: TestCaller;
let OWNER: string;

beforeAll(async () => {
  line = await aRealLine();
  ({ sim, app, admin, owner: OWNER } = line);
});

afterAll(() => line.end());

async function settled(): Promise<void> {
  await sim.settled(OWNER);
  await app.settle();
}

test("the same id from two chats at once: both are stored, and both are acknowledged (W-08)", async () => {
  const [ana, bia] = ["5511988880101", "5511988880102"].map((number) => sim.person(number)) as [Sim, Sim];
  await Promise.all([ana.sends(OWNER, "sou a Ana", { id: "SAME" }), bia.sends(OWNER, "sou a Bia", { id: "SAME" })]);
  await settled();
  expect(await line.conversationWith(ana)).toMatchObject([{ body: "sou a Ana" }]);
  expect(await line.conversationWith(bia)).toMatchObject([{ body: "sou a Bia" }]);
});

test("content that WhatsApp shows on the phone alone has a row that says so, and waits for a reply (W-08)", async () => {
  const ana = sim.person("5511988880103", { name: "Ana" });
  ana.withholds(OWNER, "viewOnceFanout");
  ana.withholds(OWNER, "msmsg");
  ana.withholds(OWNER, "nothing", { ageSeconds: 30 * 86_400 });
  await settled();
  const words = (await line.conversationWith(ana)).map(({ mediaType, data }) => [mediaType, data?.["what"]]);
  expect(words).toEqual([
    ["unsupported", "absent"],
    ["unsupported", "viewOnce"],
    ["unsupported", "metaAi"],
  ]);
  expect(await line.ticketOf(ana)).toMatchObject({ status: "pending", unreadMessages: 3 });
});

test("a chat that the owner reads on the phone is read here (M-14)", async () => {
  const ana = sim.person("5511988880104", { name: "Ana" });
  const ids = [(await ana.sends(OWNER, "um")).id, (await ana.sends(OWNER, "dois")).id];
  await settled();
  expect(await line.ticketOf(ana)).toMatchObject({ unreadMessages: 2 });
  sim.phone(OWNER).reads(ana, ids);
  await settled();
  expect(await line.ticketOf(ana)).toMatchObject({ unreadMessages: 0 });
});

test("the owner's chat with themselves has a name, and can be written to (W-08)", async () => {
  await sim.phone(OWNER).notes("comprar café");
  await settled();
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets?status=closed&showAll=true");
  const notes = body.tickets.find(({ contact }) => contact.number === OWNER)!;
  expect(notes).toMatchObject({ contact: { name: "Notas (você)" }, lastMessageFromMe: true, unreadMessages: 0 });

  await admin.put(`/tickets/${notes.id}`, { status: "open" });
  await admin.post(`/messages/${notes.id}`, { body: "e leite" });
  await settled();
  const page = await admin.get<{ messages: Message[] }>(`/messages/${notes.id}?peek=true`);
  const messages = page.body.messages.filter(({ isAutomatic }) => !isAutomatic);
  expect(messages.map(({ body: text, fromMe, ack }) => [text, fromMe, ack >= 1])).toEqual([
    ["comprar café", true, true],
    ["e leite", true, true],
  ]);
});

type Sim = ReturnType<WaSim["person"]>;
