import { expect, test } from "vitest";
import { callEvents, messageEvents, receiptEvents } from "./translate-events.ts";
import { proto } from "../library.ts";
import type { WACallEvent, WAMessage } from "../library.ts";

const self = { phone: "5511990000001", lid: "900000000000001" };
const key = {
  id: "3A01",
  remoteJid: "200000000000001@lid",
  remoteJidAlt: "5511988880001@s.whatsapp.net",
  fromMe: false,
};
const { Type } = proto.Message.ProtocolMessage;

function aMessage(message: proto.IMessage | null, about: Partial<WAMessage> = {}): WAMessage {
  return { key, message, messageTimestamp: 1_700_000_000, pushName: "Ana", ...about };
}

function contentOf(message: proto.IMessage) {
  const [event] = messageEvents(aMessage(message), false, self);
  return event?.type === "message" ? event.message.content : event;
}

const text = { conversation: "oi" };
const image = { imageMessage: { mimetype: "image/png", caption: "foto", mediaKey: Buffer.alloc(32, 1) } };

// Every form of a text message.
test.each<[string, proto.IMessage, string]>([
  ["text", text, "oi"],
  ["text with a link or a quote", { extendedTextMessage: { text: "oi" } }, "oi"],
  ["disappearing", { ephemeralMessage: { message: text } }, "oi"],
  ["disappearing, view once, both", { ephemeralMessage: { message: { viewOnceMessage: { message: text } } } }, "oi"],
  ["button reply", { buttonsResponseMessage: { selectedDisplayText: "Sim" } }, "Sim"],
  ["template button reply", { templateButtonReplyMessage: { selectedDisplayText: "Sim" } }, "Sim"],
  ["list choice", { listResponseMessage: { title: "Segunda via" } }, "Segunda via"],
  ["flow reply", { interactiveResponseMessage: { body: { text: "Pronto" } } }, "Pronto"],
  ["buttons of a business", { buttonsMessage: { contentText: "Escolha" } }, "Escolha"],
  ["template of a business", { templateMessage: { hydratedTemplate: { hydratedContentText: "Olá" } } }, "Olá"],
])("%s is text", (_name, message, words) => {
  expect(contentOf(message)).toEqual({ kind: "text", text: words });
});

test.each<[string, proto.IMessage, object | undefined]>([
  ["a picture", image, { kind: "image", caption: "foto", mimeType: "image/png" }],
  ["a view-once picture", { viewOnceMessageV2: { message: image } }, { kind: "image" }],
  ["a round video", { ptvMessage: { seconds: 4 } }, { kind: "video", seconds: 4, mimeType: "video/mp4" }],
  [
    "a document in a caption wrapper",
    { documentWithCaptionMessage: { message: { documentMessage: { title: "a.pdf", caption: "x" } } } },
    { kind: "document", fileName: "a.pdf", caption: "x" },
  ],
  [
    "a live location",
    { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, caption: "a caminho" } },
    { kind: "location", latitude: 1, longitude: 2, name: "a caminho" },
  ],
  [
    "several contacts",
    {
      contactsArrayMessage: {
        contacts: [
          { displayName: "A", vcard: "1" },
          { displayName: "B", vcard: "2" },
        ],
      },
    },
    {
      kind: "contacts",
      cards: [
        { name: "A", vcard: "1" },
        { name: "B", vcard: "2" },
      ],
    },
  ],
  ["a poll", { pollCreationMessage: { name: "?" } }, { kind: "unsupported", what: "poll" }],
  ["an invitation", { groupInviteMessage: { groupName: "x" } }, { kind: "unsupported", what: "groupInvite" }],
  ["what nobody knows yet", { stickerPackMessage: { name: "x" } }, { kind: "unsupported", what: "stickerPack" }],
  ["a group's key alone", { senderKeyDistributionMessage: { groupId: "1@g.us" } }, undefined],
  ["history", { protocolMessage: { type: Type.HISTORY_SYNC_NOTIFICATION } }, undefined],
  ["a pin", { pinInChatMessage: {} }, undefined],
  ["the head of an album", { albumMessage: { expectedImageCount: 3 } }, undefined],
  [
    "a photo of an album",
    { associatedChildMessage: { message: { imageMessage: { caption: "praia" } } } },
    { kind: "image", caption: "praia" },
  ],
])("%s", (_name, message, expected) => {
  if (expected) {
    expect(contentOf(message)).toMatchObject(expected);
  } else {
    expect(contentOf(message)).toBeUndefined();
  }
});

const changed = {
  key: { id: "3A00", fromMe: true },
  type: Type.MESSAGE_EDIT,
  editedMessage: { conversation: "certo" },
};
test.each<[string, proto.IMessage]>([
  ["wrapped, as phones send it", { editedMessage: { message: { protocolMessage: changed } } }],
  ["bare, as other devices send it", { protocolMessage: changed }],
])("an edit, %s", (_name, message) => {
  expect(messageEvents(aMessage(message), false, self)).toMatchObject([
    { type: "edit", waId: "3A00", text: "certo", fromMe: false, changeId: key.id },
  ]);
});

test("the edit of a caption is an edit of the text", () => {
  const edited = { imageMessage: { caption: "nova" } };
  const events = messageEvents(aMessage({ protocolMessage: { ...changed, editedMessage: edited } }), false, self);
  expect(events).toMatchObject([{ type: "edit", text: "nova" }]);
});

test("a deletion in a group names who deletes: the author, or perhaps an admin", () => {
  const group = { id: "3A02", remoteJid: "120@g.us", participant: "200000000000001@lid", fromMe: false };
  const revoke = (participant: string) => ({
    protocolMessage: { type: Type.REVOKE, key: { id: "3A00", participant } },
  });
  const eventsFor = (participant: string) => messageEvents(aMessage(revoke(participant), { key: group }), false, self);
  const by = { phone: null, lid: "200000000000001" };
  expect(eventsFor("200000000000002@lid")).toMatchObject([
    { type: "revoke", waId: "3A00", fromMe: false, by, byMe: false },
  ]);
  expect(eventsFor("900000000000001:3@lid")).toMatchObject([{ type: "revoke", waId: "3A00", fromMe: true }]);
});

// The ids of our messages are known to the contact, and a key is whatever the sender's client writes.
test.each([
  ["in their own chat", key],
  ["in a group", { id: "3A02", remoteJid: "120@g.us", participant: "200000000000001@lid", fromMe: false }],
])("a contact cannot edit our message by naming us as the author, %s (W-08)", (_name, where) => {
  const forged = { ...changed, key: { id: "3A00", fromMe: true, participant: "900000000000001@lid" } };
  expect(messageEvents(aMessage({ protocolMessage: forged }, { key: where }), false, self)).toMatchObject([
    { type: "edit", waId: "3A00", fromMe: false },
  ]);
});

test("a contact cannot delete our message in their own chat (W-08)", () => {
  const forged = { type: Type.REVOKE, key: { id: "3A00", fromMe: true, participant: "900000000000001@lid" } };
  expect(messageEvents(aMessage({ protocolMessage: forged }), false, self)).toMatchObject([
    { type: "revoke", waId: "3A00", fromMe: false },
  ]);
});

test.each([
  ["status broadcasts", { remoteJid: "status@broadcast" }],
  ["newsletters", { remoteJid: "123@newsletter" }],
])("%s belong to no conversation", (_name, about) => {
  expect(messageEvents(aMessage(text, { key: { ...key, ...about } }), false, self)).toEqual([]);
});

test("the owner's number never becomes the contact's (whatsapp.md 4.6)", () => {
  const copy = { ...key, fromMe: true, remoteJidAlt: "5511990000001:4@s.whatsapp.net" };
  const [event] = messageEvents(aMessage(text, { key: copy }), false, self);
  expect(event).toMatchObject({ message: { person: { phone: null, lid: "200000000000001" } } });
});

test("device suffixes are stripped", () => {
  const suffixed = { ...key, remoteJid: "200000000000001:7@lid", remoteJidAlt: "5511988880001:0@s.whatsapp.net" };
  const [event] = messageEvents(aMessage(text, { key: suffixed }), true, self);
  expect(event).toMatchObject({
    message: { chat: { kind: "lid", value: "200000000000001" }, person: { phone: "5511988880001" }, isOffline: true },
  });
});

test("an event does not change when the library mutates its object", () => {
  const thumbnail = Buffer.from([1, 2, 3]);
  const live = aMessage({ imageMessage: { caption: "foto", jpegThumbnail: thumbnail } });
  const [event] = messageEvents(live, false, self);
  thumbnail.fill(0);
  live.message = null;
  live.key.id = "other";
  expect(event).toMatchObject({ message: { waId: "3A01", content: { thumbnail: new Uint8Array([1, 2, 3]) } } });
});

// A contact's client writes what it likes into an id, and an index refuses what is longer than a third of its page.
test.each([
  ["thousands of characters", "9f".repeat(2_000)],
  ["a NUL", "3A\0B"],
  ["half a character", "3A\ud800"],
])("an id of %s stops no line: its event is left out, a quotation of it quotes nothing (W-08)", (_name, id) => {
  const events = (message: proto.IMessage, about: Partial<WAMessage> = {}) =>
    messageEvents(aMessage(message, about), false, self);
  expect(events({ reactionMessage: { key: { id }, text: "👍" } })).toEqual([]);
  expect(events({ protocolMessage: { ...changed, key: { id } } })).toEqual([]);
  expect(events({ protocolMessage: { type: Type.REVOKE, key: { id } } })).toEqual([]);
  expect(events(text, { key: { ...key, id } })).toEqual([]);
  const quoting = { extendedTextMessage: { text: "oi", contextInfo: { stanzaId: id } } };
  expect(events(quoting)).toMatchObject([{ message: { quotedWaId: null, content: { text: "oi" } } }]);
  expect(receiptEvents([{ key: { ...key, id, fromMe: true }, update: { status: 3 } }])).toEqual([]);
  expect(callEvents([aCall({ id })], self)).toEqual([]);
});

test.each<[string, proto.IMessage, object]>([
  [
    "measures beyond the columns of a file",
    { imageMessage: { width: 4_294_967_295, height: 2_147_483_648, fileLength: 2 ** 64 } },
    { kind: "image", width: null, height: null, size: null },
  ],
  [
    "the largest measures",
    { videoMessage: { width: 2_147_483_647, height: 1, seconds: 4_294_967_295, fileLength: 2 ** 53 - 1 } },
    { kind: "video", width: 2_147_483_647, height: 1, seconds: null, size: 2 ** 53 - 1 },
  ],
  ["negative ones", { audioMessage: { seconds: -1, fileLength: -1 } }, { kind: "audio", seconds: null, size: null }],
  [
    "a place that is none",
    { locationMessage: { degreesLatitude: NaN, degreesLongitude: 1 } },
    { kind: "unsupported", what: "unreadable" },
  ],
  [
    "a place off the map",
    { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: Infinity } },
    { kind: "unsupported", what: "unreadable" },
  ],
])("%s: the message is stored without them (W-08)", (_name, message, expected) => {
  expect(contentOf(message)).toMatchObject(expected);
});

test.each<[string, object, object]>([
  [
    "by LID",
    { participant: "200000000000001:3@lid", remoteJidAlt: "5511988880001@s.whatsapp.net" },
    { kind: "lid", value: "200000000000001" },
  ],
  [
    "by number",
    { participant: "5511988880001@s.whatsapp.net", remoteJidAlt: "200000000000001@lid" },
    { kind: "phone", value: "5511988880001" },
  ],
])("what a contact sends to their broadcast list is in their own chat, %s (W-08)", (_name, about, chat) => {
  const sent = { ...key, remoteJid: "1712345678@broadcast", ...about };
  const person = { phone: "5511988880001", lid: "200000000000001" };
  expect(messageEvents(aMessage(text, { key: sent }), false, self)).toMatchObject([
    { type: "message", message: { chat, person, participant: null, fromMe: false, content: { text: "oi" } } },
  ]);
});

test("the copy of what the owner sends to a broadcast list belongs to no conversation (W-08)", () => {
  const list = { ...key, remoteJid: "1712345678@broadcast" };
  for (const own of [
    { fromMe: true, participant: "5511990000001@s.whatsapp.net" },
    { fromMe: false, participant: "900000000000001:2@lid" },
  ]) {
    expect(messageEvents(aMessage(text, { key: { ...list, ...own } }), false, self)).toEqual([]);
  }
});

function aCall(about: Partial<WACallEvent> = {}): WACallEvent {
  const from = "200000000000001@lid";
  return { id: "C1", chatId: from, from, date: new Date(0), offline: false, status: "offer", ...about };
}

test("the end of a call that waited in the offline queue says so: its offer may be missing (W-09)", () => {
  expect(callEvents([aCall({ status: "terminate", offline: true })], self)).toMatchObject([
    { callId: "C1", state: "ended", isOffline: true },
  ]);
  expect(callEvents([aCall({ status: "terminate" })], self)).toMatchObject([{ state: "ended", isOffline: false }]);
});

test("a call of the owner's is no contact's call; one that their phone rejects stays its caller's (W-09)", () => {
  const [ownLid, ownJid] = ["900000000000001:4@lid", "5511990000001@s.whatsapp.net"];
  expect(callEvents([aCall({ from: ownLid }), aCall({ from: ownJid, status: "accept" })], self)).toEqual([]);
  expect(callEvents([aCall({ chatId: ownJid, status: "reject" })], self)).toMatchObject([
    { callId: "C1", state: "rejected", person: { phone: null, lid: "200000000000001" } },
  ]);
});
