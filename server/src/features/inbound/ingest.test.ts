import type { Message, SendFailure, Ticket } from "@prosa/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { MediaError } from "#server/whatsapp/port.ts";
import type { Content, InboundMessage, LineEvent } from "#server/whatsapp/port.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";

const clock = createMovedClock("2026-05-04T12:00:00Z");
const lines = new Map<number, FakeLine>();
let desk: Desk;
let admin: Person;
let line: FakeLine;
let receive: (events: readonly LineEvent[], connectionId?: number) => Promise<void>;

beforeEach(async () => {
  clock.set("2026-05-04T12:00:00Z");
  lines.clear();
  const fetchPreview = (url: string) => Promise.resolve({ title: `Página de ${url}`, description: "", picture: null });
  const messages = createMessagesFeature(() => (id) => lines.get(id), undefined, undefined, fetchPreview);
  desk = await aDesk([tickets, messages, fakeLinesFeature(lines)], { clock, env: { LINK_PREVIEWS: "on" } });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  admin = await desk.person("admin");
  const ingest = createIngest({ vault: desk.app.services.vault, contacts: contactResolver });
  receive = (events, connectionId = desk.connectionId) =>
    desk.app.db.inCompany(
      {
        actor: { kind: "line", companyId: desk.companyId, connectionId },
        companyId: desk.companyId,
        log: desk.app.services.log,
        clock,
        retry: true,
      },
      (ctx) => ingest(ctx, connectionId, events),
    );
});

const maria = { phone: "5511988887777", lid: null };
let counter = 0;

function message(content: Content | string, more: Partial<InboundMessage> = {}): LineEvent & { type: "message" } {
  const person = more.person ?? maria;
  return {
    type: "message",
    message: {
      waId: `WA${(counter += 1)}`,
      chat: { kind: person.phone === null ? "lid" : "phone", value: person.phone ?? person.lid ?? "" },
      person,
      fromMe: false,
      participant: null,
      pushName: "Maria",
      at: clock.now(),
      isOffline: false,
      quotedWaId: null,
      content: typeof content === "string" ? { kind: "text", text: content } : content,
      ...more,
    },
  };
}

const photo: Content = {
  kind: "image",
  caption: "olha",
  fileName: null,
  mimeType: "image/jpeg",
  size: 3,
  width: 10,
  height: 20,
  seconds: null,
  isVoice: false,
  thumbnail: new Uint8Array([255, 216]),
  source: { url: "https://mmg.whatsapp.net/x", mediaKey: "secret-media-key" },
};

const onlyTicket = async () => {
  const { body } = await admin.get<{ tickets: Ticket[] }>("/tickets");
  expect(body.tickets).toHaveLength(1);
  return body.tickets[0]!;
};
const conversation = async (ticketId?: number) => {
  const id = ticketId ?? (await onlyTicket()).id;
  return (await admin.get<{ messages: Message[] }>(`/messages/${id}?peek=true`)).body.messages;
};

describe("a contact writes", () => {
  test("contact, ticket, episode and message are created; the ticket is pending and unread (W-08)", async () => {
    await receive([message("oi")]);
    const ticket = await onlyTicket();
    expect(ticket).toMatchObject({
      status: "pending",
      userId: null,
      contact: { name: "Maria", number: "5511988887777" },
      lastMessage: "oi",
      lastMessageFromMe: false,
      unreadMessages: 1,
      lastMessageAt: clock.now().toISOString(),
    });
    expect(ticket.protocol).toBe(`20260504090000${ticket.id}`);
    expect(await conversation()).toMatchObject([{ body: "oi", fromMe: false, read: false, mediaType: "chat" }]);
  });

  test("however often it is delivered it is stored once, and counted once (W-08)", async () => {
    const oi = message("oi");
    await receive([oi, oi]);
    await receive([oi]);
    await Promise.all([receive([oi, message("tudo bem?")]), receive([oi])]);
    const ticket = await onlyTicket();
    expect(ticket.unreadMessages).toBe(2);
    expect((await conversation()).map(({ body }) => body)).toEqual(["oi", "tudo bem?"]);
    const created = await desk.rows(`select 1 from messages`);
    expect(created).toHaveLength(2);
  });

  test("a late redelivery of an old message neither reopens the ticket nor counts again", async () => {
    const oi = message("oi");
    await receive([oi]);
    const { id } = await onlyTicket();
    await admin.put(`/tickets/${id}`, { status: "open" });
    await admin.get(`/messages/${id}`);
    await admin.put(`/tickets/${id}`, { status: "closed" });
    await receive([oi]);
    expect(await onlyTicket()).toMatchObject({ status: "closed", unreadMessages: 0 });
  });

  test("a closed ticket becomes pending, without queue and user, in a new episode (behaviour 4)", async () => {
    await receive([message("oi")]);
    const { id } = await onlyTicket();
    const queueId = await desk.queue();
    await admin.put(`/tickets/${id}`, { status: "open", queueId });
    await admin.put(`/tickets/${id}`, { status: "closed" });
    clock.advance({ minutes: 5 });
    await receive([message("voltei")]);
    expect(await onlyTicket()).toMatchObject({
      id,
      status: "pending",
      userId: null,
      queueId: null,
      lastMessage: "voltei",
    });
    expect(await desk.rows(`select 1 from episodes where ticket_id = ${id}`)).toHaveLength(2);
  });

  test("on an open ticket its owner and queue stay", async () => {
    await receive([message("oi")]);
    const { id } = await onlyTicket();
    await admin.put(`/tickets/${id}`, { status: "open" });
    await receive([message("mais")]);
    expect(await onlyTicket()).toMatchObject({ status: "open", userId: admin.id });
  });

  test("messages of a blocked contact are stored, but open, ring, count and answer nothing (T-22, N-01)", async () => {
    await receive([message("oi")]);
    const { id } = await onlyTicket();
    await admin.put(`/tickets/${id}`, { status: "open" });
    await admin.get(`/messages/${id}`);
    await admin.put(`/tickets/${id}`, { status: "closed" });
    await desk.rows(`update contacts set is_blocked = true`);
    const before = (await conversation(id)).length;

    clock.advance({ minutes: 1 });
    await receive([message("de novo"), message("1")]);
    await desk.app.settle();
    expect(await onlyTicket()).toMatchObject({ status: "closed", unreadMessages: 0, lastMessage: "1" });
    const messages = (await conversation(id)).slice(before);
    expect(messages).toMatchObject([
      { body: "de novo", fromMe: false, read: true },
      { body: "1", fromMe: false, read: true },
    ]);

    await desk.rows(`update contacts set is_blocked = false`);
    await receive([message("desculpe")]);
    expect(await onlyTicket()).toMatchObject({ status: "pending", unreadMessages: 1 });
  });

  test("messages are ordered by time, then by arrival; the list shows the latest (M-01)", async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 4, 4, 12, 0, second));
    await receive([message("c", { at: at(3) }), message("a", { at: at(1) })]);
    await receive([message("b1", { at: at(2) }), message("b2", { at: at(2) })]);
    expect((await conversation()).map(({ body }) => body)).toEqual(["a", "b1", "b2", "c"]);
    expect(await onlyTicket()).toMatchObject({ lastMessage: "c", lastMessageAt: at(3).toISOString() });
  });

  test("50 at once from somebody new: one contact, one ticket, 50 messages", async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => receive([message(`m${n}`)])));
    expect(await desk.rows(`select 1 from contacts`)).toHaveLength(1);
    expect(await onlyTicket()).toMatchObject({ unreadMessages: 50 });
    expect(await desk.rows(`select 1 from messages`)).toHaveLength(50);
    expect(await desk.rows(`select 1 from episodes`)).toHaveLength(1);
  });

  test("somebody new who writes to two lines at once, with and without the ninth digit: one contact, a ticket on each (W-08)", async () => {
    const second = await desk.connection();
    const people = Array.from({ length: 12 }, (_, n) => String(70_000_000 + n));
    await Promise.all(
      people.flatMap((number) => [
        receive([message("oi", { person: { phone: `55119${number}`, lid: null } })]),
        receive([message("oi", { person: { phone: `5511${number}`, lid: null } })], second),
      ]),
    );
    expect(await desk.rows(`select 1 from contacts`)).toHaveLength(12);
    expect(await desk.rows(`select 1 from tickets where status = 'pending' and unread_messages = 1`)).toHaveLength(24);
    expect(await desk.rows(`select 1 from messages`)).toHaveLength(24);
  });

  test("two lines at once, with tickets of the same contacts in opposite order, do not deadlock", async () => {
    const second = await desk.connection();
    const people = Array.from({ length: 20 }, (_, n) => ({
      phone: `55119000000${String(n).padStart(2, "0")}`,
      lid: null,
    }));
    for (let round = 0; round < 5; round += 1) {
      const words = (order: typeof people) => order.map((person) => message("oi", { person, pushName: "" }));
      await Promise.all([
        receive(words(people)),
        receive(words(people.toReversed()), second),
        receive(words(people.toReversed())),
      ]);
    }
    expect(await desk.rows(`select 1 from contacts`)).toHaveLength(20);
    expect(await desk.rows(`select 1 from tickets`)).toHaveLength(40);
    expect(await desk.rows(`select 1 from messages`)).toHaveLength(300);
  });

  test("one person under number and LID is one contact, and their tickets become one (W-10)", async () => {
    const lid = { phone: null, lid: "99887766" };
    await receive([message("pelo número")]);
    await receive([message("pelo LID", { person: lid, pushName: "" })]);
    expect(await desk.rows(`select 1 from tickets`)).toHaveLength(2);
    await receive([{ type: "identity", phone: maria.phone, lid: lid.lid }]);
    expect(await onlyTicket()).toMatchObject({
      status: "pending",
      unreadMessages: 2,
      contact: { number: maria.phone },
    });
    expect((await conversation()).map(({ body }) => body).toSorted()).toEqual(["pelo LID", "pelo número"]);
    await receive([message("depois", { person: lid, pushName: "" })]);
    expect((await conversation()).map(({ body }) => body)).toContain("depois");
  });
});

describe("message content (M-04, W-08)", () => {
  test.each([
    [
      "location",
      { kind: "location", latitude: 1.5, longitude: 2.5, name: "Praça", address: "Rua 1" },
      { mediaType: "locationMessage", data: { latitude: 1.5, longitude: 2.5, name: "Praça", address: "Rua 1" } },
    ],
    [
      "contact card",
      { kind: "contacts", cards: [{ name: "Rui", vcard: "BEGIN:VCARD" }] },
      { mediaType: "vcard", body: "Rui", data: { cards: [{ name: "Rui", vcard: "BEGIN:VCARD" }] } },
    ],
    ["unknown kind", { kind: "unsupported", what: "poll" }, { mediaType: "unsupported", data: { what: "poll" } }],
    ["sticker", { ...photo, kind: "sticker", caption: "" }, { mediaType: "sticker", media: { state: "wanted" } }],
    [
      "document",
      { ...photo, kind: "document", fileName: "a.pdf" },
      { mediaType: "application", media: { fileName: "a.pdf" } },
    ],
    ["text that PostgreSQL cannot keep", { kind: "text", text: "a\0b\ud800" }, { body: "ab\ufffd" }],
  ] as [string, Content, object][])("%s", async (_name, content, expected) => {
    await receive([message(content)]);
    expect(await conversation()).toMatchObject([expected]);
  });

  test("a quote finds its message, also when the message comes later or in the same batch (M-09)", async () => {
    const [first, second] = [message("pergunta"), message("outra")];
    await receive([first, message("resposta", { quotedWaId: first.message.waId })]);
    await receive([message("cedo demais", { quotedWaId: second.message.waId })]);
    await receive([second]);
    const quotes = (await conversation()).map(({ body, quotedMsg }) => [body, quotedMsg?.body]);
    expect(quotes).toContainEqual(["resposta", "pergunta"]);
    expect(quotes).toContainEqual(["cedo demais", "outra"]);
  });

  test("a quote in a group names the person who wrote, not the group (M-09, M-17)", async () => {
    await desk.rows(`insert into settings values (${desk.companyId}, 'CheckMsgIsGroup', 'disabled')`);
    desk.app.db.cache.clear();
    const chat = { kind: "group", value: "12036302" } as const;
    const by = (name: string) => ({ chat, participant: { phone: null, lid: `55${name.length}`, name } });
    const question = message("quem traz o bolo?", by("Rui"));
    await receive([question, message("eu", { ...by("Beatriz"), quotedWaId: question.message.waId })]);
    expect((await conversation()).at(-1)).toMatchObject({
      participant: { name: "Beatriz" },
      quotedMsg: { body: "quem traz o bolo?", participant: { number: "553", name: "Rui" } },
    });
  });

  test("a placeholder is replaced by its content, never the reverse", async () => {
    const placeholder = message({ kind: "undecryptable" });
    const content = message("agora sim", { waId: placeholder.message.waId });
    await receive([placeholder]);
    expect(await conversation()).toMatchObject([{ mediaType: "unsupported" }]);
    await receive([content]);
    await receive([placeholder]);
    expect(await conversation()).toMatchObject([{ mediaType: "chat", body: "agora sim" }]);
    expect(await onlyTicket()).toMatchObject({ unreadMessages: 1, lastMessage: "agora sim" });
  });

  test("a placeholder and its content in one batch are one message", async () => {
    const content = message("texto");
    await receive([message({ kind: "undecryptable" }, { waId: content.message.waId }), content]);
    expect(await conversation()).toMatchObject([{ body: "texto" }]);
  });

  test("groups are ignored when CheckMsgIsGroup is enabled, else stored with who wrote (M-17)", async () => {
    const inGroup = () =>
      message("bom dia grupo", {
        chat: { kind: "group", value: "12036302" },
        person: { phone: null, lid: null },
        participant: { phone: "5511977776666", lid: "5544", name: "Rui" },
      });
    await receive([inGroup()]);
    expect(await desk.rows(`select 1 from tickets`)).toEqual([]);
    await desk.rows(`insert into settings values (${desk.companyId}, 'CheckMsgIsGroup', 'disabled')`);
    desk.app.db.cache.clear();
    await receive([inGroup(), { type: "group", groupId: "12036302", subject: "Vendas" }]);
    expect(await onlyTicket()).toMatchObject({ isGroup: true, contact: { name: "Vendas", isGroup: true } });
    expect(await conversation()).toMatchObject([{ participant: { number: "5511977776666", name: "Rui" } }]);
    // Both addresses are kept: receipts and quotes name the author, and the import takes in who wrote (C-03).
    expect(await desk.rows(`select participant from messages`)).toEqual([
      { participant: { number: "5511977776666", name: "Rui", phone: "5511977776666", lid: "5544" } },
    ]);
  });

  test("a call is a call_log that its end changes (W-09)", async () => {
    const call = (state: "offered" | "missed") =>
      ({
        type: "call",
        callId: "C1",
        person: maria,
        pushName: "Maria",
        isVideo: false,
        isGroup: false,
        state,
        at: clock.now(),
      }) as const;
    await receive([call("offered")]);
    await receive([call("missed")]);
    expect(await conversation()).toMatchObject([
      { mediaType: "call_log", data: { state: "missed" } },
      { fromMe: true, isAutomatic: true, body: expect.stringContaining("escreva") },
    ]);
    expect(await onlyTicket()).toMatchObject({ unreadMessages: 1 });
  });

  test("a group's call is neither rejected nor answered in private, and not stored where groups are ignored (W-09, M-17)", async () => {
    const call = (callId: string, state: "offered" | "rejected" | "ended") =>
      ({
        type: "call",
        callId,
        person: maria,
        pushName: "",
        isVideo: false,
        isGroup: true,
        state,
        at: clock.now(),
      }) as const;
    await receive([call("C1", "offered")]);
    // Of a process that has not heard the offer, the driver does not know that it was a group's.
    await receive([call("C1", "ended"), { ...call("C1", "rejected"), isGroup: false }]);
    expect(await desk.rows(`select 1 from contacts`)).toEqual([]);
    expect(await desk.rows(`select 1 from tickets`)).toEqual([]);

    await desk.rows(`insert into settings values (${desk.companyId}, 'CheckMsgIsGroup', 'disabled')`);
    desk.app.db.cache.clear();
    await receive([call("C2", "offered"), call("C2", "ended")]);
    expect(await conversation()).toMatchObject([{ mediaType: "call_log", data: { isGroup: true, state: "ended" } }]);
    expect(await desk.rows(`select 1 from jobs where task like 'calls.%'`)).toEqual([]);
  });

  test("calls of an outage are in the conversation, and neither rejected nor answered hours later (W-09)", async () => {
    const call = (callId: string, state: "offered" | "missed", minutesAgo: number) =>
      ({
        type: "call",
        callId,
        person: maria,
        pushName: "Maria",
        isVideo: false,
        isGroup: false,
        state,
        at: new Date(clock.now().getTime() - minutesAgo * 60_000),
      }) as const;
    await receive([call("C1", "offered", 121), call("C1", "missed", 120), call("C2", "offered", 119)]);
    const logged = { mediaType: "call_log", fromMe: false };
    expect(await conversation()).toMatchObject([logged, logged]);
    const rejections = () => desk.rows(`select payload ->> 'callId' as id from jobs where task like 'calls.%'`);
    expect(await rejections()).toEqual([]);

    await receive([
      call("C3", "offered", 0),
      call("C3", "missed", 0),
      call("C4", "offered", 0),
      call("C5", "offered", 0),
    ]);
    expect(await rejections()).toEqual([{ id: "C4" }, { id: "C5" }]);
    expect((await conversation()).filter(({ fromMe }) => fromMe)).toHaveLength(1);
  });

  test("a call that rang and ended while the line was away is in the conversation, however it ended (W-09)", async () => {
    const ended = (callId: string, state: "ended" | "accepted" | "rejected", isOffline: boolean) =>
      ({
        type: "call",
        callId,
        person: maria,
        pushName: "",
        isVideo: false,
        isGroup: false,
        state,
        isOffline,
        at: clock.now(),
      }) as const;
    await receive([ended("C1", "ended", false)]);
    expect(await desk.rows(`select 1 from tickets`)).toEqual([]);

    await receive([ended("C2", "ended", true), ended("C3", "accepted", true), ended("C4", "rejected", true)]);
    const calls = (await conversation()).map(({ mediaType, data }) => [mediaType, data]);
    expect(calls).toEqual(
      ["ended", "accepted", "rejected"].map((state) => ["call_log", { isVideo: false, isGroup: false, state }]),
    );
    expect(await onlyTicket()).toMatchObject({ status: "pending", unreadMessages: 3 });
    expect(await desk.rows(`select 1 from jobs where task like 'calls.%'`)).toEqual([]);
  });

  test("the outcome of a call is not newer than messages sent while it rang (W-09, T-22)", async () => {
    const call = {
      type: "call",
      callId: "C1",
      person: maria,
      pushName: "Maria",
      isVideo: false,
      isGroup: false,
    } as const;
    await receive([{ ...call, state: "offered", at: clock.now() }]);
    clock.advance({ seconds: 1 });
    await receive([message("liguei!")]);
    clock.advance({ seconds: 15 });
    await receive([{ ...call, state: "missed", at: clock.now() }]);
    expect(await onlyTicket()).toMatchObject({ lastMessage: "liguei!", lastMessageType: "chat", unreadMessages: 2 });
  });
});

describe("typed on the phone (M-15)", () => {
  test("shows as ours, sent, and leaves a closed ticket closed", async () => {
    await receive([message("oi")]);
    const { id } = await onlyTicket();
    await admin.put(`/tickets/${id}`, { status: "open" });
    await admin.put(`/tickets/${id}`, { status: "closed" });
    await receive([message("do telefone", { fromMe: true, pushName: "A loja" })]);
    expect(await onlyTicket()).toMatchObject({
      status: "closed",
      lastMessage: "do telefone",
      lastMessageFromMe: true,
      unreadMessages: 1,
      contact: { name: "Maria" },
    });
    expect((await conversation()).at(-1)).toMatchObject({ fromMe: true, ack: 1, user: null });
  });

  test("to a new contact: a closed ticket, which needs no agent", async () => {
    await receive([message("olá", { fromMe: true, pushName: "A loja" })]);
    expect(await onlyTicket()).toMatchObject({ status: "closed", unreadMessages: 0, contact: { name: maria.phone } });
  });
});

describe("states", () => {
  test("only move forward, by id alone; a refusal is kept with its reason (M-02)", async () => {
    await receive([message("oi")]);
    const { id } = await onlyTicket();
    await admin.put(`/tickets/${id}`, { status: "open" });
    const [sent] = (await admin.post<Message[]>(`/messages/${id}`, { body: "olá" })).body;
    const [{ wa_id: waId } = { wa_id: "" }] = await desk.rows<{ wa_id: string }>(
      `select wa_id from messages where id = ${sent!.id}`,
    );
    const status = (value: -1 | 1 | 2 | 3 | 4 | 5, reason: SendFailure | null = null): LineEvent => ({
      type: "status",
      waIds: [waId, "unknown"],
      status: value,
      reason,
    });
    const ack = async () => (await conversation(id)).at(-1)?.ack;

    await receive([status(3), status(1), status(2)]);
    expect(await ack()).toBe(3);
    await receive([status(2), status(-1, "limited")]);
    expect(await ack()).toBe(3);
    await receive([status(5), status(4)]);
    expect(await ack()).toBe(5);

    const [second] = (await admin.post<Message[]>(`/messages/${id}`, { body: "limite" })).body;
    const [row] = await desk.rows<{ wa_id: string }>(`select wa_id from messages where id = ${second!.id}`);
    await receive([{ type: "status", waIds: [row!.wa_id], status: -1, reason: "limited" }]);
    expect((await conversation(id)).at(-1)).toMatchObject({ ack: -1, failReason: "limited" });
  });

  test("refusals of one batch keep each its own reason (M-02)", async () => {
    await receive([message("oi")]);
    const { id } = await onlyTicket();
    await admin.put(`/tickets/${id}`, { status: "open" });
    const reasons: SendFailure[] = ["limited", "notAllowed", "limited"];
    for (const reason of reasons) {
      await admin.post<Message[]>(`/messages/${id}`, { body: reason });
    }
    const rows = await desk.rows<{ wa_id: string; body: SendFailure }>(
      `select wa_id, body from messages where from_me`,
    );
    await receive(rows.map(({ wa_id, body }) => ({ type: "status", waIds: [wa_id], status: -1, reason: body })));
    const failed = (await conversation(id)).filter(({ fromMe }) => fromMe);
    expect(failed.map(({ body, failReason }) => [body, failReason])).toEqual(reasons.map((reason) => [reason, reason]));
  });
});

describe("changes by the contact (M-15)", () => {
  const edit = (waId: string, text: string): LineEvent & { type: "edit" } => ({
    type: "edit",
    waId,
    fromMe: false,
    author: null,
    chat: { kind: "phone", value: maria.phone },
    person: maria,
    text,
    at: clock.now(),
  });
  const revoke = (waId: string): LineEvent => ({
    type: "revoke",
    waId,
    fromMe: false,
    chat: { kind: "phone", value: maria.phone },
    person: maria,
    by: null,
    byMe: false,
    at: clock.now(),
  });
  const reaction = (waId: string, emoji: string, at = clock.now()): LineEvent => ({
    type: "reaction",
    waId,
    targetFromMe: false,
    chat: { kind: "phone", value: maria.phone },
    person: maria,
    emoji,
    byMe: false,
    sender: { ...maria, name: "Maria" },
    at,
  });

  test("an edit keeps the earlier text, a deletion leaves a marker, a reaction shows and goes", async () => {
    const [a, b] = [message("errado"), message("apagar")];
    await receive([a, b]);
    await receive([edit(a.message.waId, "certo"), revoke(b.message.waId), reaction(a.message.waId, "❤️")]);
    const [first, second] = await conversation();
    expect(first).toMatchObject({
      body: "certo",
      isEdited: true,
      reactions: [{ emoji: "❤️", fromMe: false, name: "Maria" }],
    });
    expect(second).toMatchObject({ isDeleted: true });
    expect((await admin.get(`/messages/${first!.id}/edits`)).body).toMatchObject([{ body: "errado" }]);
    clock.advance({ seconds: 1 });
    await receive([reaction(a.message.waId, "")]);
    expect((await conversation())[0]?.reactions).toEqual([]);
  });

  test("one that comes before its message waits for it, and is applied once", async () => {
    const late = message("errado");
    await receive([edit(late.message.waId, "certo"), reaction(late.message.waId, "👍")]);
    expect(await desk.rows(`select 1 from message_changes_waiting`)).toHaveLength(2);
    await receive([late]);
    expect(await conversation()).toMatchObject([{ body: "certo", isEdited: true, reactions: [{ emoji: "👍" }] }]);
    expect(await desk.rows(`select 1 from message_changes_waiting`)).toEqual([]);
  });

  test("an older edit never replaces a newer one: its text is in the history, once", async () => {
    const oi = message("oi");
    await receive([oi]);
    const older = edit(oi.message.waId, "dez horas");
    clock.advance({ minutes: 5 });
    await receive([edit(oi.message.waId, "dez e cinco")]);
    await receive([older]);
    await receive([older]);
    const [shown] = await conversation();
    expect(shown).toMatchObject({ body: "dez e cinco", isEdited: true });
    expect((await onlyTicket()).lastMessage).toBe("dez e cinco");
    const { body } = await admin.get<{ body: string }[]>(`/messages/${shown!.id}/edits`);
    expect(body.map((each) => each.body)).toEqual(["oi", "dez horas"]);
  });

  test("an older reaction never replaces a newer one", async () => {
    const oi = message("oi");
    await receive([oi]);
    await receive([reaction(oi.message.waId, "❤️", new Date(clock.now().getTime() + 1_000))]);
    await receive([reaction(oi.message.waId, "👎", clock.now())]);
    expect((await conversation())[0]?.reactions).toMatchObject([{ emoji: "❤️" }]);
  });
});

describe("files", () => {
  test("never delay their message; a job downloads them (W-08)", async () => {
    await receive([message(photo)]);
    expect(await conversation()).toMatchObject([
      { mediaType: "image", body: "olha", mediaUrl: null, media: { state: "wanted", width: 10, height: 20 } },
    ]);
    await desk.app.settle();
    const [ready] = await conversation();
    expect(ready).toMatchObject({
      media: { state: "ready", size: 3 },
      mediaUrl: expect.stringMatching(/^http:\/\/localhost:\d+\/media\//),
    });
    expect((await admin.get(ready!.mediaUrl!)).status).toBe(200);
  });

  test("the key of a file is sealed in the database", async () => {
    await receive([message(photo)]);
    const [row] = await desk.rows<{ source: Buffer }>(`select source from media`);
    expect(row?.source.includes("secret-media-key")).toBe(false);
  });

  test("one that is gone is expired at once; other failures are retried, then failed; both can be requested again", async () => {
    line.onDownload = () => {
      throw new MediaError("expired", "gone");
    };
    await receive([message(photo)]);
    await desk.app.settle();
    expect(await conversation()).toMatchObject([{ media: { state: "expired" } }]);

    let tries = 0;
    line.onDownload = () => {
      tries += 1;
      throw new MediaError("failed", "network");
    };
    const [{ id } = { id: 0 }] = await conversation();
    await admin.post(`/messages/${id}/media`);
    for (let round = 0; round < 8; round += 1) {
      await desk.app.settle();
      clock.advance({ hours: 1 });
    }
    expect(tries).toBe(7);
    expect(await conversation()).toMatchObject([{ media: { state: "failed" } }]);

    line.onDownload = () => new Uint8Array([9]);
    expect((await admin.post<Message>(`/messages/${id}/media`)).body.media?.state).toBe("wanted");
    await desk.app.settle();
    expect(await conversation()).toMatchObject([{ media: { state: "ready" } }]);
  });
});

test("a message costs few statements, the company included: of a known contact 4, of a new one 6 (W-08)", async () => {
  await receive([message("oi"), message("oi", { person: { phone: "5511988880000", lid: "70001" } })]);
  const known = await countStatements(() => receive([message("tudo bem?")]));
  expect(known.inAll).toBe(4);
  const fresh = await countStatements(() =>
    receive([message("olá", { person: { phone: "5511988880001", lid: "70002" }, pushName: "Nova" })]),
  );
  expect(fresh.inAll).toBe(6);
});

test("a text brings its sender's preview, a voice note how loud it is, both in the statement of the message (M-03, M-04)", async () => {
  const thumbnail = Uint8Array.from([0xff, 0xd8, 1]);
  const link = { address: "www.loja.com", title: "Loja\0", description: "Calçados", thumbnail };
  const voice: Content = { ...photo, kind: "audio", isVoice: true, waveform: Uint8Array.from([0, 50, 100]) };
  const plain = await countStatements(() => receive([message("oi")]));
  const cost = await countStatements(() =>
    receive([message({ kind: "text", text: "Veja www.loja.com", link }), message(voice)]),
  );
  expect(cost.statements.length).toBeLessThanOrEqual(plain.statements.length + 1);
  await desk.app.settle();
  const [, text, sound] = await conversation();
  expect(text?.linkPreview).toEqual({
    url: "https://www.loja.com",
    title: "Loja",
    description: "Calçados",
    picture: "data:image/jpeg;base64,/9gB",
  });
  expect(sound?.media?.waveform).toBe(Buffer.from([0, 50, 100]).toString("base64"));
});

test("what a contact says of an address stays with their message: of others the page is asked (M-03)", async () => {
  const link = {
    address: "https://banco.com",
    title: "Nova\u202E conta\npara o Pix",
    description: "",
    thumbnail: null,
  };
  await receive([message({ kind: "text", text: "Veja https://banco.com", link })]);
  await receive([message("https://banco.com")]);
  await desk.app.settle();
  expect((await conversation()).map(({ linkPreview }) => linkPreview?.title)).toEqual([
    "Nova conta para o Pix",
    "Página de https://banco.com",
  ]);
});

test("an address costs no more than the job that fetches its page, after the commit (M-03)", async () => {
  await receive([message("conhecida")]);
  const plain = await countStatements(() => receive([message("mais uma")]));
  const linked = await countStatements(() => receive([message("https://loja.com/a"), message("https://loja.com/b")]));
  const own = ({ statements }: typeof plain) => statements.filter((text) => !/pg_notify|pg_snapshot/.test(text));
  expect(own(linked).length, own(linked).join("\n\n")).toBeLessThanOrEqual(own(plain).length + 1);
  expect(linked.statements.some((text) => text.includes("link_previews") && !text.includes("received"))).toBe(false);
});

test("a message alone costs at most eight statements, a batch of 100 hardly more", async () => {
  await receive([message("conhecida")]);
  const one = await countStatements(() => receive([message("mais uma")]));
  expect(one.statements.filter((text) => !/pg_notify|pg_snapshot/.test(text)).length).toBeLessThanOrEqual(8);
  const many = await countStatements(() => receive(Array.from({ length: 100 }, (_, n) => message(`m${n}`))));
  expect(many.statements.filter((text) => !/pg_notify|pg_snapshot/.test(text)).length).toBeLessThanOrEqual(8);
});
