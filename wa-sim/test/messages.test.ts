import { createHash } from "node:crypto";
import { proto } from "baileys";
import { expect, test } from "vitest";
import { aDesk, aDeskInConversation, LINE } from "./desk.ts";

const Status = proto.WebMessageInfo.Status;
const BYTES = Buffer.from("not really a picture, but every byte counts");
const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

test("a person with hidden number is known by LID, with the number beside it", async () => {
  const { line, ana } = await aDesk();
  await ana.sends(LINE, "oi");
  const { key, pushName } = await line.receivesText("oi");
  expect(key).toMatchObject({ remoteJid: ana.lidJid, remoteJidAlt: ana.pn, fromMe: false });
  expect(pushName).toBe("Ana");
});

test("a person with shown number is known by it, with the LID beside it", async () => {
  const { sim, line } = await aDesk();
  const bia = sim.person("5511977776666", { addressing: "pn" });
  await bia.sends(LINE, "oi");
  const { key } = await line.receivesText("oi");
  expect(key).toMatchObject({ remoteJid: bia.pn, remoteJidAlt: bia.lidJid });
});

test("an answer is decrypted by the person, with what it quotes", async () => {
  const { line, ana } = await aDesk();
  await ana.sends(LINE, "quanto custa?");
  const question = await line.receivesText("quanto custa?");
  const id = await line.sends(ana.lidJid, { text: "dez reais" }, { quoted: question });
  const answer = await ana.receives(({ text }) => text === "dez reais");
  expect(answer).toMatchObject({ id, from: LINE, quoted: question.key.id, copies: 1 });
});

test("a person's quote names the line's message", async () => {
  const { line, ana, chat } = await aDeskInConversation();
  const id = await line.sends(chat, { text: "dez reais" });
  await ana.receives((message) => message.id === id);
  await ana.sends(LINE, { text: "caro", quote: id });
  const heard = await line.receivesText("caro");
  expect(heard.message?.extendedTextMessage?.contextInfo).toMatchObject({
    stanzaId: id,
    quotedMessage: { extendedTextMessage: { text: "dez reais" } },
  });
});

test("delivered, read: the line learns how far its message came", async () => {
  const { sim, line, ana, chat } = await aDeskInConversation();
  ana.autoReceipts = "none";
  const id = await line.sends(chat, { text: "leia" });
  ana.autoReceipts = "delivered";
  const next = await line.sends(chat, { text: "e isto" });
  await line.reaches(next, Status.DELIVERY_ACK);
  await ana.reads(LINE);
  await line.reaches(id, Status.READ);
  await line.reaches(next, Status.READ);
  await sim.settled(LINE);
});

test("the line's blue ticks reach the person", async () => {
  const { sim, line, ana } = await aDesk();
  const { id } = await ana.sends(LINE, "oi");
  const heard = await line.receivesText("oi");
  await line.socket.readMessages([heard.key]);
  await sim.settled(LINE);
  await expect.poll(() => ana.message(id)?.status).toBe("read");
});

test("a refused message shows the server's code and reaches nobody", async () => {
  const { sim, line, ana, chat } = await aDeskInConversation();
  sim.faults.ackError = 463;
  const id = await line.sends(chat, { text: "promoção" });
  expect(line.acks.get(id)).toBe("463");
  await line.reaches(id, Status.ERROR);
  expect(ana.inbox().map(({ text }) => text)).toEqual(["olá"]);
});

test("without an ack the message stays on its way, and nobody has it", async () => {
  const { sim, line, ana, chat } = await aDeskInConversation();
  sim.faults.autoAck = false;
  const sent = await line.socket.sendMessage(chat, { text: "perdida" });
  await expect.poll(() => sim.stats.dropped).toBe(1);
  sim.faults.autoAck = true;
  await line.sends(chat, { text: "seguinte" });
  expect(line.acks.has(sent?.key.id ?? "")).toBe(false);
  expect(ana.inbox().map(({ text }) => text)).toEqual(["olá", "seguinte"]);
});

test("a lost ack does not stop the message; sent again under its id it is still one message", async () => {
  const { sim, line, ana, chat } = await aDeskInConversation();
  sim.faults.loseAck = true;
  const sent = await line.socket.sendMessage(chat, { text: "uma vez" });
  await ana.receives(({ text }) => text === "uma vez");
  sim.faults.loseAck = false;
  const id = sent?.key.id ?? "";
  await line.socket.sendMessage(chat, { text: "uma vez" }, { messageId: id });
  await line.waitUntil("the second ack", () => line.acks.get(id));
  expect(ana.inbox().filter(({ text }) => text === "uma vez")).toHaveLength(1);
  expect(ana.message(id)?.copies).toBe(2);
});

test("only numbers that exist are on WhatsApp, and a Brazilian one in either spelling", async () => {
  const { sim, line } = await aDesk();
  sim.person("551188887777");
  sim.person("5521977776666");
  const found = await line.socket.onWhatsApp("+5511988887777", "552177776666", "5511911110000");
  expect(found).toEqual([
    { jid: "5511988887777@s.whatsapp.net", exists: true },
    { jid: "5521977776666@s.whatsapp.net", exists: true },
  ]);
});

test("a first message can go to a number that never wrote", async () => {
  const { sim, line, ana } = await aDesk();
  const id = await line.sends(ana.pn, { text: "bom dia" });
  expect(await ana.receives(({ text }) => text === "bom dia")).toMatchObject({ id });
  await line.reaches(id, Status.DELIVERY_ACK);
  const receipt = line.updates.find(({ key }) => key.id === id);
  expect(receipt?.key.remoteJid).toBe(ana.lidJid);
  sim.knowsNumber((number) => number === "5511955554444");
  expect(await line.socket.onWhatsApp("5511955554444")).toHaveLength(1);
});

test("without LIDs in the device list a first message to a number cannot be encrypted", async () => {
  const { sim, line, ana } = await aDesk();
  sim.faults.omitLid = true;
  await expect(line.socket.sendMessage(ana.pn, { text: "oi" })).rejects.toThrow("All encryptions failed");
});

test("files come in: picture, voice message, document", async () => {
  const { line, ana } = await aDesk();
  await ana.sends(LINE, { image: BYTES, caption: "veja" });
  const picture = await line.receives(({ message }) => Boolean(message?.imageMessage));
  expect(picture.message?.imageMessage?.caption).toBe("veja");
  expect(await line.download(picture)).toEqual(BYTES);
  await ana.sends(LINE, { audio: BYTES, ptt: true, seconds: 3 });
  const voice = await line.receives(({ message }) => Boolean(message?.audioMessage));
  expect(voice.message?.audioMessage).toMatchObject({ ptt: true, seconds: 3 });
  expect(await line.download(voice)).toEqual(BYTES);
  await ana.sends(LINE, { document: BYTES, fileName: "nota.pdf", mimetype: "application/pdf" });
  const document = await line.receives(({ message }) => Boolean(message?.documentMessage));
  expect(document.message?.documentMessage?.fileName).toBe("nota.pdf");
  expect(await line.download(document)).toEqual(BYTES);
});

test("files go out: picture, voice message, document", async () => {
  const { line, ana, chat } = await aDeskInConversation();
  const upload = { image: BYTES, jpegThumbnail: "", caption: "catálogo" };
  const picture = await line.sends(chat, upload);
  expect(await ana.receives(({ id }) => id === picture)).toMatchObject({
    text: "catálogo",
    content: { kind: "image" },
  });
  expect(ana.download(picture)).toEqual(BYTES);
  const voice = await line.sends(chat, { audio: BYTES, ptt: true, mimetype: "audio/ogg; codecs=opus", seconds: 2 });
  expect((await ana.receives(({ id }) => id === voice)).content).toMatchObject({ kind: "audio", ptt: true });
  expect(ana.download(voice)).toEqual(BYTES);
  const document = await line.sends(chat, { document: BYTES, mimetype: "application/pdf", fileName: "nota.pdf" });
  expect((await ana.receives(({ id }) => id === document)).content).toMatchObject({ fileName: "nota.pdf" });
  expect(ana.download(document)).toEqual(BYTES);
});

test("a file that was altered on the way arrives altered: only its hash tells", async () => {
  const { sim, line, ana } = await aDesk();
  sim.faults.tamperMedia = true;
  await ana.sends(LINE, { image: BYTES });
  const picture = await line.receives(({ message }) => Boolean(message?.imageMessage));
  const file = await line.download(picture);
  expect(sha256(file)).not.toEqual(Buffer.from(picture.message?.imageMessage?.fileSha256 ?? []));
});

test("an expired file answers 404; asked again, the person's phone uploads it anew", async () => {
  const { sim, line, ana } = await aDesk();
  sim.faults.dropMedia = true;
  await ana.sends(LINE, { image: BYTES });
  const picture = await line.receives(({ message }) => Boolean(message?.imageMessage));
  await expect(line.download(picture)).rejects.toMatchObject({ output: { statusCode: 404 } });
  await line.socket.refreshMediaConn(); // tells the host; Baileys would look at mmg.whatsapp.net otherwise
  const renewed = await line.socket.updateMediaMessage(picture);
  expect(await line.download(renewed)).toEqual(BYTES);
});

test("an edit, a removal and a reaction come in on the message they name", async () => {
  const { line, ana, hello, chat } = await aDeskInConversation();
  await ana.sends(LINE, { edit: { id: hello, text: "oi!" } });
  const edit = await line.waitUntil("an edit", () => line.updates.find(({ update }) => update.message?.editedMessage));
  expect(edit.key.id).toBe(hello);
  expect(edit.update.message?.editedMessage?.message?.conversation).toBe("oi!");
  const id = await line.sends(chat, { text: "tudo bem?" });
  await ana.sends(LINE, { reaction: { id, emoji: "👍" } });
  const reaction = await line.waitUntil("a reaction", () =>
    line.otherEvents.find(({ event }) => event === "messages.reaction"),
  );
  expect(reaction.value).toMatchObject([{ key: { id, fromMe: true }, reaction: { text: "👍" } }]);
  await ana.sends(LINE, { revoke: hello });
  const removal = await line.waitUntil("a removal", () => line.updates.find(({ update }) => update.message === null));
  expect(removal.key.id).toBe(hello);
});

test("an edit, a removal and a reaction of the line change what the person sees", async () => {
  const { line, ana, chat, hello } = await aDeskInConversation();
  const id = await line.sends(chat, { text: "dez reais" });
  const key = { remoteJid: chat, fromMe: true, id };
  await line.sends(chat, { text: "doze reais", edit: key });
  await ana.receives(({ content }) => content.kind === "edit");
  expect(ana.message(id)).toMatchObject({ text: "doze reais", edited: true, revoked: false });
  await line.sends(chat, { react: { text: "❤️", key: { remoteJid: chat, fromMe: false, id: hello } } });
  await ana.receives(({ content }) => content.kind === "reaction");
  expect(ana.message(hello)?.reaction).toBe("❤️");
  await line.sends(chat, { delete: key });
  await ana.receives(({ content }) => content.kind === "revoke");
  expect(ana.message(id)?.revoked).toBe(true);
});

test("what the owner types on the phone comes as the line's own message", async () => {
  const { sim, phone, line, ana } = await aDesk();
  const { id } = await phone.sends(ana.number, "respondi pelo celular");
  const heard = await line.receivesText("respondi pelo celular");
  expect(heard.key).toMatchObject({ id, fromMe: true, remoteJid: ana.lidJid, remoteJidAlt: ana.pn });
  expect(ana.inbox()).toMatchObject([{ id, text: "respondi pelo celular" }]);
  await sim.settled(LINE);
});

test("places and business cards come in", async () => {
  const { line, ana } = await aDesk();
  await ana.sends(LINE, { location: { latitude: -23.5, longitude: -46.6, name: "Sé" } });
  const place = await line.receives(({ message }) => Boolean(message?.locationMessage));
  expect(place.message?.locationMessage).toMatchObject({ degreesLatitude: -23.5, name: "Sé" });
  await ana.sends(LINE, { contact: { name: "Bia", number: "5511977776666" } });
  const card = await line.receives(({ message }) => Boolean(message?.contactMessage));
  expect(card.message?.contactMessage?.vcard).toContain("waid=5511977776666");
});

test("the line sees somebody type", async () => {
  const { line, ana } = await aDesk();
  await ana.types(LINE);
  const typing = await line.waitUntil("typing", () =>
    line.otherEvents.find(({ event }) => event === "presence.update"),
  );
  expect(typing.value).toMatchObject({
    id: ana.lidJid,
    presences: { [ana.lidJid]: { lastKnownPresence: "composing" } },
  });
});

test("a group: a message in, one out, who received it, and a change of members", async () => {
  const { sim, line, ana } = await aDesk();
  const bia = sim.person("5511977776666", { name: "Bia" });
  const group = sim.group({ subject: "Família", members: [ana, bia], line: LINE });
  await ana.sends(group, "oi gente");
  const heard = await line.receivesText("oi gente");
  expect(heard.key).toMatchObject({ remoteJid: group.jid, participant: ana.lidJid, participantAlt: ana.pn });
  expect(bia.inbox()).toMatchObject([{ text: "oi gente", group: group.jid }]);
  await ana.sends(group, "mais uma");
  await line.receivesText("mais uma");
  expect((await line.socket.groupMetadata(group.jid)).subject).toBe("Família");
  const id = await line.sends(group.jid, { text: "olá a todos" });
  await Promise.all([ana, bia].map((person) => person.receives((message) => message.id === id)));
  const again = await line.sends(group.jid, { text: "e mais" });
  await Promise.all([ana, bia].map((person) => person.receives((message) => message.id === again)));
  await ana.reads(LINE);
  await line.waitUntil("a group receipt", () =>
    line.otherEvents.find(({ event }) => event === "message-receipt.update"),
  );
  group.remove(bia);
  const change = await line.waitUntil("a member change", () =>
    line.otherEvents.find(({ event }) => event === "group-participants.update"),
  );
  expect(change.value).toMatchObject({ id: group.jid, action: "remove" });
  await sim.settled(LINE);
  expect(sim.unknownStanzas).toEqual([]);
});

test("a call rings, is rejected, or is missed", async () => {
  const { line, ana } = await aDesk();
  const call = await ana.calls(LINE, { video: true });
  const offer = await line.waitUntil("a call", () => line.calls.find(({ status }) => status === "offer"));
  expect(offer).toMatchObject({ id: call.id, callerPn: ana.pn, isVideo: true });
  await line.socket.rejectCall(offer.id, offer.from);
  await call.rejected;
  const second = await ana.calls(LINE);
  second.hangUp();
  await line.waitUntil("a missed call", () =>
    line.calls.find(({ id, status }) => id === second.id && status === "timeout"),
  );
  await line.waitUntil("its stub", () => line.upserts.find(({ message }) => message.key.id === second.id));
});

test("a profile picture has an address, or there is none", async () => {
  const { line, ana } = await aDesk();
  await expect(line.socket.profilePictureUrl(ana.lidJid)).rejects.toMatchObject({ data: 404 });
  ana.setPicture(BYTES);
  const url = await line.socket.profilePictureUrl(ana.lidJid);
  const response = await fetch(url ?? "");
  expect(Buffer.from(await response.arrayBuffer())).toEqual(BYTES);
  ana.isPictureHidden = true;
  await expect(line.socket.profilePictureUrl(ana.lidJid)).rejects.toMatchObject({ data: 401 });
});
