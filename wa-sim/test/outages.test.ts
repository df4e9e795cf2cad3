import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { proto } from "baileys";
import { expect, onTestFinished, test } from "vitest";
import { WaSim } from "../src/index.ts";
import { aClient, aDesk, aDeskInConversation, aServer, LINE } from "./desk.ts";
import { Line } from "./line.ts";

test("the line cannot read a message, asks again, and gets it", async () => {
  const { sim, line, ana } = await aDeskInConversation();
  sim.faults.corruptNext = 1;
  const { delivered } = await ana.sends(LINE, "truncada");
  await line.receivesText("truncada");
  await delivered;
  expect(sim.stats.retriesByLines).toBe(1);
  await sim.settled(LINE);
});

test("the first message of somebody new cannot be read, is asked again, and comes", async () => {
  const { sim, line, ana } = await aDesk();
  sim.faults.corruptNext = 1;
  await ana.sends(LINE, "primeira");
  await line.receivesText("primeira");
  await sim.settled(LINE);
});

test("the person cannot read a message, asks again, and gets it under the same id", async () => {
  const { sim, line, ana, chat } = await aDeskInConversation();
  sim.faults.garbleNextOutbound = 1;
  const id = await line.sends(chat, { text: "de novo" });
  expect(await ana.receives((message) => message.id === id)).toMatchObject({ text: "de novo", copies: 1 });
  expect(sim.stats.retriesByPersons).toBe(1);
});

test("a person with a new phone is heard and can read the line again", async () => {
  const { line, ana, chat } = await aDeskInConversation();
  ana.loseSessions();
  await ana.sends(LINE, "celular novo");
  await line.receivesText("celular novo");
  const id = await line.sends(chat, { text: "parabéns" });
  expect(await ana.receives((message) => message.id === id)).toMatchObject({ text: "parabéns" });
});

test("what came while the line was away waits for it, in order, and live messages wait behind", async () => {
  const { sim, phone, line, ana } = await aDeskInConversation();
  line.reconnects = false;
  await sim.settled(LINE);
  phone.kick("drop");
  expect((await line.waitForDisconnect(2)).code).toBe(428);
  for (let index = 0; index < 5; index++) {
    await ana.sends(LINE, `fora ${index}`);
  }
  expect(phone.devices()).toMatchObject([{ state: "offline", pending: 5 }]);
  line.connect();
  await ana.sends(LINE, "ao vivo");
  await line.receivesText("ao vivo");
  const texts = line.upserts
    .map(({ message }) => message.message?.conversation)
    .filter((text) => text?.startsWith("fora"));
  expect(texts).toEqual(["fora 0", "fora 1", "fora 2", "fora 3", "fora 4"]);
  expect(line.upserts.find(({ message }) => message.message?.conversation === "fora 0")?.type).toBe("append");
  await sim.settled(LINE);
});

test("a stanza that comes twice: message, stub, message again", async () => {
  const { sim, line, ana, hello } = await aDeskInConversation();
  sim.faults.duplicateNext = 1;
  const { id } = await ana.sends(LINE, "duas vezes");
  await line.receivesText("duas vezes");
  await sim.settled(LINE);
  expect(hello).not.toBe(id);
  const seen = line.upserts.filter(({ message }) => message.key.id === id);
  expect(seen[0]?.message.message?.conversation).toBe("duas vezes");
});

test("300 messages of 30 strangers while the line was away", async () => {
  const { sim, phone, line } = await aDesk();
  line.reconnects = false;
  phone.kick("closeFrame");
  await line.waitForDisconnect(2);
  for (let index = 0; index < 300; index++) {
    await sim.person(`55119000000${String(10 + (index % 30))}`).sends(LINE, `recado ${index}`);
  }
  line.connect();
  const texts = new Set<string>();
  await line.waitUntil("all 300", () => {
    for (const { message } of line.upserts) {
      texts.add(message.message?.conversation ?? "");
    }
    texts.delete("");
    return texts.size >= 300;
  });
  await sim.settled(LINE);
});

test.each([
  ["replaced", 440],
  ["loggedOut", 401],
  ["streamEnd", 428],
  [{ failure: 403 }, 403],
  [{ failure: 405 }, 405],
  [{ streamError: 503 }, 503],
] as const)("the server ends the connection: %o closes with %i", async (how, code) => {
  const { phone, line } = await aDesk();
  line.reconnects = false;
  phone.kick(how);
  expect((await line.waitForDisconnect(2)).code).toBe(code);
});

test("a second login of the same device replaces the first", async () => {
  const { phone, line } = await aDesk();
  line.reconnects = false;
  line.connect();
  expect((await line.waitForDisconnect(2)).code).toBe(440);
  expect(phone.devices()).toMatchObject([{ state: "connected" }]);
});

test("a dead peer is noticed by the line's keep-alive", async () => {
  const { phone, line } = await aDesk({}, { keepAliveIntervalMs: 100 });
  line.reconnects = false;
  phone.kick("silence");
  expect((await line.waitUntil("the end", () => line.disconnects[1], 9000)).code).toBe(408);
});

test("the line logs out by itself and is no companion any more", async () => {
  const { sim, phone, line } = await aDesk();
  await line.socket.logout();
  await expect.poll(() => phone.devices()).toEqual([]);
  expect(sim.unknownStanzas).toEqual([]);
});

test.each([true, "hang"] as const)("a connection that is refused (%o) ends with 408", async (how) => {
  const sim = await aServer();
  sim.refuseConnections = how;
  const line = aClient(sim, { connectTimeoutMs: 200 });
  line.reconnects = false;
  expect((await line.waitForDisconnect()).code).toBe(408);
});

test("Baileys never ends a connection that is answered 503: only its own socket says so", async () => {
  const sim = await aServer();
  sim.refuseConnections = "http";
  const line = aClient(sim, { connectTimeoutMs: 200 });
  const answered = once(line.socket.ws, "unexpected-response");
  await answered;
  await expect(line.waitUntil("an end", () => line.disconnects[0], 500)).rejects.toThrow("waited");
});

test("refused logins", async () => {
  const desk = await aDesk();
  desk.line.reconnects = false;
  desk.phone.loginFailure = 503;
  desk.phone.kick("drop");
  await desk.line.waitForDisconnect(2);
  desk.line.connect();
  expect((await desk.line.waitForDisconnect(3)).code).toBe(503);
});

test("after a restart of the server the line comes back, its backlog waits, chats and sessions are there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wa-sim-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const stateFile = join(folder, "state");
  const first = await WaSim.start({ stateFile });
  const line = new Line(first).connect();
  onTestFinished(() => {
    line.close();
  });
  await first.phone(LINE, { name: "Loja" }).scan(await line.qr());
  await line.waitUntilOpen();
  const ana = first.person("5511988887777", { name: "Ana" });
  await ana.sends(LINE, "antes");
  const chat = (await line.receivesText("antes")).key.remoteJid ?? "";
  const acked = await line.sends(chat, { text: "resposta" });
  await line.reaches(acked, proto.WebMessageInfo.Status.DELIVERY_ACK);
  await first.settled(LINE);
  line.reconnects = false;
  first.phone(LINE).kick("drop");
  await line.waitForDisconnect(2);
  await ana.sends(LINE, "durante");
  await first.stop();

  const second = await WaSim.start({ stateFile });
  onTestFinished(() => second.stop());
  expect(second.wsUrl).toBe(first.wsUrl);
  const again = second.person("5511988887777");
  expect(again.name).toBe("Ana");
  expect(again.chat(LINE).map(({ text }) => text)).toEqual(["antes", "resposta", "durante"]);
  line.connect();
  await line.receivesText("durante");
  await again.sends(LINE, "depois");
  await line.receivesText("depois");
  const id = await line.sends(chat, { text: "ainda aqui" });
  await again.receives((message) => message.id === id);
  await second.settled(LINE);
  expect(second.stats.retriesByLines + second.stats.retriesByPersons).toBe(0);
});

test("an unanswered question for devices ends in a message that names nobody", async () => {
  const { sim, line, ana } = await aDesk({}, { defaultQueryTimeoutMs: 200 });
  sim.faults.muteIq.add("usync");
  await line.sends(ana.lidJid, { text: "para ninguém" });
  expect(ana.inbox()).toEqual([]);
});

test("two lines talk to each other: text, receipt, answer", async () => {
  const { sim, phone, line } = await aDesk();
  const other = sim.phone("5511999990002", { name: "Filial" });
  const branch = aClient(sim);
  await other.scan(await branch.qr());
  await branch.waitUntilOpen();
  const id = await line.sends(other.pn, { text: "oi, filial" });
  const heard = await branch.receivesText("oi, filial");
  expect(heard.key).toMatchObject({ remoteJid: phone.lidJid, remoteJidAlt: phone.pn });
  await line.reaches(id, proto.WebMessageInfo.Status.DELIVERY_ACK);
  await branch.sends(heard.key.remoteJid ?? "", { text: "oi, matriz" });
  await line.receivesText("oi, matriz");
  await sim.settled(LINE);
});

test("what a second computer of the line sends shows on the first as own", async () => {
  const { sim, phone, line, ana } = await aDesk();
  const second = aClient(sim);
  await phone.scan(await second.qr());
  await second.waitUntilOpen();
  const id = await second.sends(ana.lidJid, { text: "da outra mesa" });
  const copy = await line.receivesText("da outra mesa");
  expect(copy.key).toMatchObject({ id, fromMe: true, remoteJid: ana.lidJid });
  await ana.sends(LINE, "para as duas");
  await Promise.all([line.receivesText("para as duas"), second.receivesText("para as duas")]);
});
