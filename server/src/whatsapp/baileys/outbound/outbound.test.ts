import { randomBytes } from "node:crypto";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Person } from "@prosa/wa-sim";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";
import type { Address, Outbound, OutboundFile } from "../../port.ts";

let made: SimLine;
let ana: Person;
let folder: string;

beforeAll(async () => {
  // A busy machine takes more than a second to reconnect.
  made = await aConnectedLine({ timing: { waitForOpenMs: 4_000 } });
  folder = await mkdtemp(path.join(tmpdir(), "prosa-out-"));
  ana = made.sim.person("5511988880001", { name: "Ana" });
});

afterEach(() => made.sim.faults.clear());

afterAll(async () => {
  await made.end();
  await rm(folder, { recursive: true });
});

const newWaId = () => `3EB0${randomBytes(9).toString("hex").toUpperCase()}`;
const byLid = (person: Person): Address => ({ kind: "lid", value: person.lid });
const byNumber = (person: Person): Address => ({ kind: "phone", value: person.number });

async function send(content: Outbound, to: Address = byLid(ana)): Promise<string> {
  const waId = newWaId();
  await made.line.send(waId, to, content);
  return waId;
}

async function aFile(bytes: Buffer, mimeType: string, fileName = "arquivo"): Promise<OutboundFile> {
  const file = path.join(folder, newWaId());
  await writeFile(file, bytes);
  return { path: file, mimeType, fileName, size: (await stat(file)).size };
}

test("a text is sent when WhatsApp's server has it, then delivered, then read; states come by id alone (M-05)", async () => {
  const waId = await send({ kind: "text", text: "olá" });
  expect((await ana.receives(({ id }) => id === waId)).text).toBe("olá");
  await made.host.waitForEvent("status", ({ waIds, status }) => waIds.includes(waId) && status === 1);
  await made.host.waitForEvent("status", ({ waIds, status }) => waIds.includes(waId) && status === 2);

  await ana.reads(OWNER);
  await made.host.waitForEvent("status", ({ waIds, status }) => waIds.includes(waId) && status === 4);
  const statuses = made.host.events.flatMap((event) =>
    event.type === "status" && event.waIds.includes(waId) ? [event.status] : [],
  );
  expect(statuses).toEqual([1, 2, 4]);
});

test("a receipt at the same moment as the acknowledgement is an event, too (trap 3)", async () => {
  ana.autoReceipts = "read";
  const waId = await send({ kind: "text", text: "rápido" });
  ana.autoReceipts = "delivered";
  await made.host.waitForEvent("status", ({ waIds, status }) => waIds.includes(waId) && status === 4);
  expect(made.host.messages.map((message) => message.waId)).not.toContain(waId);
});

test("a number that nobody wrote from yet gets its first message", async () => {
  const novo = made.sim.person("5511988880009", { name: "Novo" });
  const waId = await send({ kind: "text", text: "primeira" }, byNumber(novo));
  expect((await novo.receives(({ id }) => id === waId)).text).toBe("primeira");
});

test("files arrive as they were sent (M-16)", async () => {
  const bytes = Buffer.from("voice, document or picture: bytes are bytes".repeat(50));
  for (const [kind, mimeType] of [
    ["document", "application/pdf"],
    ["voice", "audio/ogg; codecs=opus"],
    ["video", "video/mp4"],
    ["sticker", "image/webp"],
  ] as const) {
    const file = await aFile(bytes, mimeType, "nota.pdf");
    const waId = await send({ kind, caption: "segue", file: { ...file, seconds: 2 } });
    const { content } = await ana.receives(({ id }) => id === waId);
    expect(content).toMatchObject({ kind: kind === "voice" ? "audio" : kind, ...(kind === "voice" && { ptt: true }) });
    expect(ana.download(waId)).toEqual(bytes);
  }
});

test("a video says how large and how long it is, and shows a small picture of itself (M-04, M-16)", async () => {
  const file = await aFile(Buffer.from("a video"), "video/mp4", "visita.mp4");
  const about = { width: 720, height: 1280, seconds: 12.4, thumbnail: new Uint8Array(Buffer.from("a small picture")) };
  const waId = await send({ kind: "video", caption: "", file: { ...file, ...about } });
  const { content } = await ana.receives(({ id }) => id === waId);
  expect(content).toMatchObject({ kind: "video", ...about, seconds: 12 });
});

test("an answer quotes, an edit changes, a reaction shows, a deletion removes (M-14, M-15)", async () => {
  const { id } = await ana.sends(OWNER, "pergunta");
  await made.host.waitUntil(() => made.host.messages.some(({ waId }) => waId === id));
  const quoted = { waId: id, fromMe: false, body: "pergunta" };
  const answer = await send({ kind: "text", text: "respota", quoted });
  expect((await ana.receives((message) => message.id === answer)).quoted).toBe(id);

  await send({ kind: "edit", target: { waId: answer, fromMe: true }, text: "resposta" });
  await ana.receives(({ content }) => content.kind === "edit" && content.to === answer);
  expect(ana.message(answer)).toMatchObject({ text: "resposta", edited: true });

  await send({ kind: "reaction", target: { waId: id, fromMe: false }, emoji: "❤️" });
  await ana.receives(({ content }) => content.kind === "reaction" && content.to === id);
  expect(ana.message(id)?.reaction).toBe("❤️");

  await send({ kind: "revoke", target: { waId: answer, fromMe: true } });
  await ana.receives(({ content }) => content.kind === "revoke" && content.to === answer);
  expect(ana.message(answer)?.revoked).toBe(true);
});

test("a location and a contact card arrive (M-16)", async () => {
  const place = await send({ kind: "location", latitude: -22.9, longitude: -43.2, name: "Rio" });
  expect((await ana.receives(({ id }) => id === place)).content).toMatchObject({ kind: "location", name: "Rio" });
  const card = await send({ kind: "contact", name: "Suporte", vcard: "BEGIN:VCARD\nEND:VCARD" });
  expect((await ana.receives(({ id }) => id === card)).content).toMatchObject({ kind: "contact", name: "Suporte" });
});

test("a group gets a message, and its receipts are events", async () => {
  const group = made.sim.group({ subject: "Time", members: [ana], line: OWNER });
  const waId = await send({ kind: "text", text: "a todos" }, { kind: "group", value: group.record.id });
  expect((await ana.receives(({ id }) => id === waId)).text).toBe("a todos");
  await made.host.waitForEvent("status", ({ waIds, status }) => waIds.includes(waId) && status === 2);
});

test("a retry request of a contact is answered from the stored payload, by id alone", async () => {
  made.sim.faults.garbleNextOutbound = 1;
  const waId = await send({ kind: "text", text: "de novo" }, byNumber(ana));
  expect((await ana.receives(({ id }) => id === waId)).text).toBe("de novo");
  expect(made.sim.stats.retriesByPersons).toBeGreaterThan(0);
});

test("without an acknowledgement a send fails in time and may be tried again under the same id", async () => {
  made.sim.faults.autoAck = false;
  const waId = newWaId();
  const content = { kind: "text", text: "uma vez" } as const;
  await expect(made.line.send(waId, byLid(ana), content)).rejects.toMatchObject({ reason: "timeout", canRetry: true });

  made.sim.faults.clear();
  await made.line.send(waId, byLid(ana), content);
  expect((await ana.receives(({ id }) => id === waId)).text).toBe("uma vez");
});

test("a refusal rejects with its reason, and says whether a retry can help", async () => {
  made.sim.faults.ackError = 463;
  const limited = newWaId();
  await expect(made.line.send(limited, byLid(ana), { kind: "text", text: "x" })).rejects.toMatchObject({
    reason: "limited",
    canRetry: false,
  });
  expect(await made.host.waitForEvent("status", ({ waIds }) => waIds.includes(limited))).toMatchObject({
    status: -1,
    reason: "limited",
  });

  made.sim.faults.ackError = 479;
  const stale = newWaId();
  await expect(made.line.send(stale, byLid(ana), { kind: "text", text: "y" })).rejects.toMatchObject({
    reason: "devices",
    canRetry: true,
  });
  // Whoever sends decides what becomes of it: it may go through with the next try.
  expect(made.host.events.filter((event) => event.type === "status" && event.waIds.includes(stale))).toEqual([]);
});

test("numbers are checked with WhatsApp's own spelling; one without WhatsApp is absent (W-10)", async () => {
  const caio = made.sim.person("5531988880003", { name: "Caio" });
  const found = await made.line.checkNumbers([caio.number, "5511900000000"]);
  expect(found.get(caio.number)).toEqual({ phone: caio.number, lid: caio.lid });
  expect(found.has("5511900000000")).toBe(false);
});

test("reading a chat sends read receipts", async () => {
  const sent = await ana.sends(OWNER, "leia");
  await made.host.waitForText("leia");
  await made.line.markRead(byLid(ana), [{ waId: sent.id, fromMe: false }]);
  await expect.poll(() => ana.message(sent.id)?.status).toBe("read");
});

test("a disconnected line refuses a send after a short wait, and serves it when it reconnects in time", async () => {
  made.sim.refuseConnections = true;
  made.phone.kick("drop");
  await made.host.waitForState("OPENING");
  await expect(send({ kind: "text", text: "agora não" })).rejects.toMatchObject({
    reason: "notConnected",
    canRetry: true,
  });

  const soon = send({ kind: "text", text: "já volto" });
  made.sim.refuseConnections = false;
  const waId = await soon;
  expect((await ana.receives(({ id }) => id === waId)).text).toBe("já volto");
});
