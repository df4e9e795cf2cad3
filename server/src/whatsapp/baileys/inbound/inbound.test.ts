import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Content as SimContent, Person } from "@prosa/wa-sim";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";
import { MediaError } from "../../port.ts";
import type { Content, MediaSource } from "../../port.ts";

let made: SimLine;
let ana: Person;
let folder: string;
const FILE = Buffer.from("some bytes of a file that are longer than one block of the cipher");

beforeAll(async () => {
  made = await aConnectedLine();
  folder = await mkdtemp(path.join(tmpdir(), "prosa-media-"));
});

beforeEach(() => {
  made.sim.faults.clear();
  ana = made.sim.person("5511988880001", { name: "Ana" });
});

afterAll(async () => {
  await made.end();
  await rm(folder, { recursive: true });
});

async function arrived(content: SimContent, from: Person = ana) {
  const { id } = await from.sends(OWNER, content);
  const message = await made.host.waitUntil(() => made.host.messages.find(({ waId }) => waId === id));
  return { id, message };
}

function sourceOf(content: Content): MediaSource {
  if (!("source" in content)) {
    throw new Error(`${content.kind} has no file`);
  }
  return content.source;
}

test("a text arrives with both addresses of the person, without a device suffix (W-08, W-10)", async () => {
  const { id, message } = await arrived("bom dia");
  expect(message).toEqual({
    waId: id,
    chat: { kind: "lid", value: ana.lid },
    person: { phone: ana.number, lid: ana.lid },
    fromMe: false,
    participant: null,
    pushName: "Ana",
    at: expect.any(Date),
    isOffline: false,
    quotedWaId: null,
    content: { kind: "text", text: "bom dia" },
  });
  expect(Math.abs(Date.now() - message.at.getTime())).toBeLessThan(60_000);
});

test("a person who writes from the number is the same person (W-10)", async () => {
  const bia = made.sim.person("5511988880002", { name: "Bia", addressing: "pn" });
  const { message } = await arrived("oi", bia);
  expect(message.chat).toEqual({ kind: "phone", value: bia.number });
  expect(message.person).toEqual({ phone: bia.number, lid: bia.lid });
});

const kinds: [string, SimContent, Partial<Record<string, unknown>>][] = [
  ["image", { image: FILE, caption: "foto" }, { kind: "image", caption: "foto", mimeType: "image/jpeg" }],
  ["video", { video: FILE, seconds: 7 }, { kind: "video", seconds: 7 }],
  ["voice message", { audio: FILE, ptt: true, seconds: 3 }, { kind: "audio", isVoice: true, seconds: 3 }],
  ["audio", { audio: FILE }, { kind: "audio", isVoice: false }],
  ["document", { document: FILE, fileName: "nota.pdf" }, { kind: "document", fileName: "nota.pdf", caption: "" }],
  [
    "document with a caption",
    { document: FILE, fileName: "nota.pdf", caption: "segue" },
    { kind: "document", fileName: "nota.pdf", caption: "segue" },
  ],
  ["sticker", { sticker: FILE }, { kind: "sticker", mimeType: "image/webp" }],
  [
    "location",
    { location: { latitude: -23.5, longitude: -46.6, name: "Sé" } },
    { kind: "location", latitude: -23.5, longitude: -46.6, name: "Sé" },
  ],
  [
    "vcard",
    { contact: { name: "Caio", number: "5511977770001" } },
    { kind: "contacts", cards: [{ name: "Caio", vcard: expect.stringContaining("5511977770001") }] },
  ],
  [
    "poll",
    { raw: { pollCreationMessageV3: { name: "?", options: [{ optionName: "a" }] } } },
    { kind: "unsupported", what: "poll" },
  ],
];

for (const [name, content, wanted] of kinds) {
  test(`a ${name} is stored once, however often it is delivered (W-08)`, async () => {
    made.sim.faults.duplicateNext = 1;
    const { id, message } = await arrived(content);
    expect(message.content).toMatchObject(wanted);

    await made.sim.settled(OWNER);
    expect(made.host.messages.filter(({ waId }) => waId === id)).toHaveLength(1);
    expect(made.host.messages.find(({ waId }) => waId === id)?.content).toMatchObject(wanted);
  });
}

test("a file is fetched and decrypted to the very bytes that were sent (M-04)", async () => {
  const { message } = await arrived({ image: FILE });
  const target = path.join(folder, "image");
  expect(await made.line.download(sourceOf(message.content), target)).toEqual({ size: FILE.length });
  expect(await readFile(target)).toEqual(FILE);
});

test("a file that was altered on the way is refused", async () => {
  made.sim.faults.tamperMedia = true;
  const { message } = await arrived({ image: FILE });
  const target = path.join(folder, "tampered");
  await expect(made.line.download(sourceOf(message.content), target)).rejects.toMatchObject({ state: "failed" });
  await expect(readFile(target)).rejects.toThrow("ENOENT");
});

test("a file that expired is uploaded again by the phone; if it refuses, it is expired", async () => {
  const { message } = await arrived({ document: FILE, fileName: "a.txt" });
  made.sim.faults.dropMedia = true;
  const target = path.join(folder, "again");
  expect(await made.line.download(sourceOf(message.content), target)).toEqual({ size: FILE.length });

  const second = await arrived({ document: FILE, fileName: "b.txt" });
  made.sim.faults.dropMedia = true;
  made.sim.faults.refuseMediaRetry = true;
  await expect(made.line.download(sourceOf(second.message.content), path.join(folder, "gone"))).rejects.toMatchObject({
    state: "expired",
  });
});

test.each([
  ["is tried again later where its new address fails for now", { reuploadedStatus: 503 }, "failed"],
  ["is tried again later where the line drops before the phone answers", { dropAtMediaRetry: true }, "failed"],
  ["is given up where it is not at its new address either", { reuploadedStatus: 404 }, "expired"],
] as const)("a file that expired %s (M-04)", async (_what, faults, state) => {
  const { message } = await arrived({ document: FILE, fileName: "a.txt" });
  const source = sourceOf(message.content);
  const target = path.join(folder, "later");
  Object.assign(made.sim.faults, { dropMedia: true, ...faults });
  await expect(made.line.download(source, target)).rejects.toMatchObject({ name: "MediaError", state });

  made.sim.faults.clear();
  made.sim.faults.dropMedia = true;
  expect(await made.line.download(source, target)).toEqual({ size: FILE.length });
});

test("a file that cannot be fetched while nothing can be reached has not failed: the line is not connected (M-04)", async () => {
  const { sim, host, line } = await aConnectedLine();
  const { id } = await sim.person("5511988880001", { name: "Ana" }).sends(OWNER, { image: FILE });
  const message = await host.waitUntil(() => host.messages.find(({ waId }) => waId === id));
  await sim.stop();
  await expect
    .poll(() => line.download(sourceOf(message.content), path.join(folder, "lost")).catch((error: unknown) => error))
    .toMatchObject({ name: "SendError", reason: "notConnected" });
  line.drop();
});

test("a sender cannot make the server download from another host (SSRF)", async () => {
  const { message } = await arrived({ image: FILE });
  const source = { ...sourceOf(message.content), url: "http://127.0.0.1:1/secret", directPath: "/secret" };
  await expect(made.line.download(source, path.join(folder, "ssrf"))).rejects.toThrow(MediaError);
  await expect(made.line.download(source, path.join(folder, "ssrf"))).rejects.toThrow("127.0.0.1:1");
});

test("an answer names the message that it quotes (W-08)", async () => {
  const { id } = await arrived("primeira");
  const { message } = await arrived({ text: "resposta", quote: id });
  expect(message.quotedWaId).toBe(id);
});

test("an edit, a deletion and a reaction name their message (W-08)", async () => {
  const { id } = await arrived("erado");
  await ana.sends(OWNER, { edit: { id, text: "errado" } });
  expect(await made.host.waitForEvent("edit", ({ waId }) => waId === id)).toMatchObject({
    text: "errado",
    fromMe: false,
    chat: { kind: "lid", value: ana.lid },
  });
  await ana.sends(OWNER, { reaction: { id, emoji: "👍" } });
  expect(await made.host.waitForEvent("reaction", ({ waId }) => waId === id)).toMatchObject({
    emoji: "👍",
    byMe: false,
    targetFromMe: false,
    sender: { phone: ana.number, lid: ana.lid, name: "Ana" },
  });
  await ana.sends(OWNER, { revoke: id });
  expect(await made.host.waitForEvent("revoke", ({ waId }) => waId === id)).toMatchObject({ fromMe: false });
});

test("what the owner types on the phone appears as ours, in the contact's chat (W-08)", async () => {
  const { id } = await made.phone.sends(ana.number, "do telefone");
  const message = await made.host.waitForText("do telefone");
  expect(message).toMatchObject({
    waId: id,
    fromMe: true,
    chat: { kind: "lid", value: ana.lid },
    person: { phone: ana.number, lid: ana.lid },
  });
});

test("a group message names the group and who wrote (W-08)", async () => {
  const group = made.sim.group({ subject: "Condomínio", members: [ana], line: OWNER });
  const { id } = await ana.sends(group, "reunião às 8");
  const message = await made.host.waitUntil(() => made.host.messages.find(({ waId }) => waId === id));
  expect(message).toMatchObject({
    chat: { kind: "group", value: group.record.id },
    participant: { phone: ana.number, lid: ana.lid, name: "Ana" },
    content: { kind: "text", text: "reunião às 8" },
  });
  expect(await made.line.groupSubject(group.record.id)).toBe("Condomínio");
  expect(await made.line.groupAdmins(group.record.id)).toEqual([{ phone: ana.number, lid: ana.lid }]);
});

test("a call is an event and can be refused, and a missed call is an event, too (W-08, W-09)", async () => {
  const call = await ana.calls(OWNER, { video: true });
  const offered = await made.host.waitForEvent(
    "call",
    ({ callId, state }) => callId === call.id && state === "offered",
  );
  expect(offered).toMatchObject({ isVideo: true, isGroup: false, person: { phone: ana.number } });
  await made.line.rejectCall(call.id, offered.person);
  await call.rejected;

  const missed = await ana.calls(OWNER);
  missed.hangUp();
  await made.host.waitForEvent("call", ({ callId, state }) => callId === missed.id && state === "missed");
});

test("the end of a group's call that waited while the line was away is still a group's: only its offer says so (W-09)", async () => {
  const call = await ana.calls(OWNER, { group: true });
  const isOfCall = ({ callId }: { readonly callId: string }) => callId === call.id;
  expect(await made.host.waitForEvent("call", isOfCall)).toMatchObject({ state: "offered", isGroup: true });
  // Acknowledged: the offer does not come again.
  await made.sim.settled(OWNER);

  made.sim.refuseConnections = true;
  made.phone.kick("drop");
  await made.host.waitUntil(() => made.host.states.at(-1)?.status !== "CONNECTED");
  call.hangUp();
  made.sim.refuseConnections = false;
  const ended = await made.host.waitForEvent("call", (event) => isOfCall(event) && event.state !== "offered");
  expect(ended).toMatchObject({ isGroup: true, isOffline: true });
});

test("typing is passed on and not stored", async () => {
  await ana.types(OWNER);
  await made.host.waitUntil(() => made.host.typing.at(-1)?.isTyping);
  expect(made.host.typing.at(-1)?.person).toEqual({ phone: null, lid: ana.lid });
});

test("an undecryptable message becomes a placeholder, which the message replaces (W-08)", async () => {
  await arrived("antes");
  // Once the line has answered, the contact no longer sends a new session with each message.
  await made.line.send("3EB0ANSWER", { kind: "lid", value: ana.lid }, { kind: "text", text: "oi" });
  made.sim.faults.corruptNext = 1;
  const { id } = await ana.sends(OWNER, "depois");
  await made.host.waitForText("depois");
  const received = made.host.events.flatMap((event) => (event.type === "message" ? [event.message] : []));
  expect(received.filter(({ waId }) => waId === id).map(({ content }) => content.kind)).toEqual([
    "undecryptable",
    "text",
  ]);
});

test("a message that the library drops after its decryption is stored as unreadable, and later ones arrive (W-08)", async () => {
  await arrived("antes");
  // A reaction to nothing: no phone sends one, anybody can.
  const { id } = await ana.sends(OWNER, { raw: { reactionMessage: { text: "👍" } } });
  await made.host.waitUntil(() => made.host.messages.find(({ waId }) => waId === id));
  expect(made.host.messages.find(({ waId }) => waId === id)?.content).toEqual({
    kind: "unsupported",
    what: "unreadable",
  });
  await arrived("depois");
  expect(made.host.notes.filter((note) => note.startsWith("alarm"))).toEqual([]);
});

test("messages sent while the line was disconnected arrive after it reconnects, marked as offline (W-08)", async () => {
  const { host, line } = made;
  await line.stop();
  const people = Array.from({ length: 30 }, (_, index) => made.sim.person(`55118888${1000 + index}`));
  for (let round = 0; round < 10; round += 1) {
    for (const [index, person] of people.entries()) {
      await person.sends(OWNER, `atrasada ${index}.${round}`);
    }
  }
  const back = made.crash();
  await back.host.waitUntil(() => back.host.texts.filter((text) => text.startsWith("atrasada")).length === 300, 15_000);
  await made.sim.settled(OWNER);

  expect(
    back.host.messages.every(
      ({ isOffline, content }) => isOffline || content.kind !== "text" || !content.text.startsWith("atrasada"),
    ),
  ).toBe(true);
  expect(made.sim.stats.nacks["487"] ?? 0).toBeLessThanOrEqual(kinds.length);
  expect([...host.notes, ...back.host.notes].filter((note) => note.startsWith("alarm"))).toEqual([]);
});
