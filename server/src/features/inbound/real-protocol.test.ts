import { readFile } from "node:fs/promises";
import { settings } from "@prosa/contract";
import type { Message, Ticket } from "@prosa/contract";
import type { MessageView, WaSim } from "@prosa/wa-sim";
import { fileTypeFromBuffer } from "file-type";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aQueue } from "#server/testing/factories.ts";
import { aRealLine } from "#server/testing/real-line.ts";
import type { RealLine } from "#server/testing/real-line.ts";

let line: RealLine;
let sim: WaSim;
let app: TestApp;
let admin: TestCaller;
let OWNER: string;

beforeAll(async () => {
  line = await aRealLine(async (company) => ({
    greetingMessage: "Bem-vindo",
    queueIds: [(await aQueue(company, { name: "Vendas" })).id, (await aQueue(company, { name: "Suporte" })).id],
  }));
  ({ sim, app, admin, owner: OWNER } = line);
});

afterAll(() => line.end());

const texts = (messages: readonly MessageView[]) =>
  messages.map(({ content }) => ("text" in content ? content.text : ""));

test("a customer is greeted and led to a queue over the real protocol, each reply once (Q-03, Q-04)", async () => {
  const ana = sim.person("5511988880001", { name: "Ana" });
  for (const text of ["oi", "2"]) {
    await ana.sends(OWNER, text);
    await sim.settled(OWNER);
    await app.settle();
  }
  const menu = "Bem-vindo\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n*[ sair ]* - Falar com um atendente";
  expect(texts(ana.inbox(OWNER))).toEqual([menu, expect.stringContaining("Aguarde um momento")]);
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets?searchParam=ana&showAll=true");
  expect(body.tickets).toMatchObject([{ status: "pending", chatbot: false, queue: { name: "Suporte" } }]);
});

test("a message through a customer's broadcast list is stored once in their chat, and its answer goes to them (W-08, M-09)", async () => {
  const leo = sim.person("5511988880006", { name: "Leo" });
  await leo.sends(OWNER, "oi");
  await sim.settled(OWNER);
  await app.settle();
  const sent = await leo.sends(OWNER, "mudei de número", { list: "1712345678" });
  await sent.delivered;
  await app.settle();
  const { id: ticketId } = await line.ticketOf(leo);
  const received = (await line.conversationWith(leo)).filter(({ fromMe }) => !fromMe);
  expect(received).toMatchObject([{ body: "oi" }, { body: "mudei de número", participant: null }]);
  expect(sim.stats.nacks).toEqual({});

  await admin.put(`/tickets/${ticketId}`, { status: "open" });
  await admin.post(`/messages/${ticketId}`, { body: "anotado", quotedMsg: { id: received[1]!.id } });
  await app.settle();
  await sim.settled(OWNER);
  expect(leo.inbox(OWNER).at(-1)).toMatchObject({ content: { text: "anotado" }, quoted: sent.id });
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets?showAll=true&searchParam=leo");
  expect(body.tickets).toHaveLength(1);
});

test("a call is rejected, the caller asked to write, once, and the call is in the conversation (W-09, G-02)", async () => {
  const rui = sim.person("5511988880002", { name: "Rui" });
  const call = await rui.calls(OWNER);
  await sim.settled(OWNER);
  await app.settle();
  await call.rejected;
  await app.settle();
  expect(texts(rui.inbox(OWNER))).toEqual([expect.stringContaining("escreva a sua mensagem")]);
  const [callLog, reply] = await line.conversationWith(rui);
  expect(callLog).toMatchObject({ mediaType: "call_log", fromMe: false });
  expect(reply).toMatchObject({ fromMe: true, isAutomatic: true });
});

test("a company that accepts calls lets them ring, and sees the missed one (W-09, G-02)", async () => {
  await admin.call(settings.save, { params: { key: "call" }, body: { value: "enabled" } });
  const eva = sim.person("5511988880003", { name: "Eva" });
  const call = await eva.calls(OWNER);
  await sim.settled(OWNER);
  await app.settle();
  call.hangUp();
  await sim.settled(OWNER);
  await app.settle();
  expect(eva.inbox(OWNER)).toEqual([]);
  expect(await line.conversationWith(eva)).toMatchObject([{ mediaType: "call_log", data: { state: "missed" } }]);
});

test("a group is ignored while CheckMsgIsGroup is enabled; else it is shown, and the bot stays silent (M-17, G-02)", async () => {
  const bia = sim.person("5511988880005", { name: "Bia" });
  const group = sim.group({ subject: "Condomínio", members: [bia], line: OWNER });
  const tickets = async () =>
    (await admin.get<{ tickets: Ticket[] }>("/tickets?showAll=true")).body.tickets.filter(({ isGroup }) => isGroup);
  const hears = async (text: string) => {
    await bia.sends(group, text);
    await sim.settled(OWNER);
    await app.settle();
  };
  await hears("ninguém ouve");
  expect(await tickets()).toEqual([]);

  await admin.call(settings.save, { params: { key: "CheckMsgIsGroup" }, body: { value: "disabled" } });
  await hears("alguém ouve?");
  const shown = await tickets();
  expect(shown).toMatchObject([{ isGroup: true, status: "pending", chatbot: false, lastMessage: "alguém ouve?" }]);
  // Its subject was set while groups were ignored.
  expect(shown).toMatchObject([{ contact: { name: "Condomínio" } }]);
  const { body } = await admin.get<{ messages: Message[] }>(`/messages/${shown[0]?.id}?peek=true`);
  expect(body.messages).toMatchObject([{ body: "alguém ouve?", participant: { name: "Bia" } }]);
  expect(bia.inbox(OWNER)).toEqual([]);
});

test("a recorded MP3 arrives on the customer's phone as a voice note, with its length and waveform (M-07)", async () => {
  const lia = sim.person("5511988880004", { name: "Lia" });
  await lia.sends(OWNER, "oi");
  await sim.settled(OWNER);
  await app.settle();
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets?searchParam=lia&showAll=true");
  const ticket = body.tickets[0]!;
  await admin.put(`/tickets/${ticket.id}`, { status: "open" });
  const form = new FormData();
  form.set("voice", "true");
  form.set("medias", new Blob([await readFile(new URL("../../testing/voice.mp3", import.meta.url))]), "voz.mp3");
  const sent = await admin.post<Message[]>(`/messages/${ticket.id}`, form);
  // The desk plays the recording itself, before its conversion.
  expect(sent.body).toMatchObject([{ ack: 0, mediaType: "audio", media: { mimeType: "audio/mpeg", isVoice: true } }]);
  await app.settle();
  await sim.settled(OWNER);

  const { content, id } = lia.inbox(OWNER).at(-1)!;
  expect(content).toMatchObject({ kind: "audio", ptt: true, mimetype: "audio/ogg; codecs=opus", seconds: 2 });
  const { waveform } = content as { readonly waveform?: Uint8Array };
  expect(waveform).toHaveLength(64);
  expect([waveform![10]! < 20, waveform![50]! > 80]).toEqual([true, true]);
  const note = lia.download(id);
  expect(await fileTypeFromBuffer(note)).toEqual({ ext: "opus", mime: "audio/ogg; codecs=opus" });
  // Byte 9 of the Opus header is the number of channels.
  expect(note[note.indexOf("OpusHead") + 9]).toBe(1);
  const message = (await line.conversationWith(lia)).at(-1)!;
  expect(message.ack).toBeGreaterThanOrEqual(1);
  expect(message.media?.seconds).toBeCloseTo(1.5, 0);
});
