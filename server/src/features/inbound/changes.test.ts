import type { Message, Ticket } from "@prosa/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import type { LineEvent, PersonRef } from "#server/whatsapp/port.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";

const clock = createMovedClock("2026-05-04T12:00:00Z");
const lines = new Map<number, FakeLine>();
let desk: Desk;
let admin: Person;
let line: FakeLine;
let receive: (...events: readonly LineEvent[]) => Promise<void>;

beforeEach(async () => {
  lines.clear();
  desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)], { clock });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  admin = await desk.person("admin");
  await desk.rows(`insert into settings values (${desk.companyId}, 'CheckMsgIsGroup', 'disabled')`);
  const ingest = createIngest({ vault: desk.app.services.vault, contacts: contactResolver, isSilent: true });
  const { companyId, connectionId } = desk;
  const scope = { actor: { kind: "line", companyId, connectionId }, companyId, log: desk.app.services.log } as const;
  receive = (...events) => desk.app.db.inCompany({ ...scope, clock }, (ctx) => ingest(ctx, desk.connectionId, events));
});

const maria: PersonRef = { phone: "5511988887777", lid: "7701" };
const eve: PersonRef = { phone: "5511966665555", lid: "6601" };
const rui: PersonRef = { phone: "5511977776666", lid: "5501" };
const nobody: PersonRef = { phone: null, lid: null };
const groupId = "12036302";

/** The contact's own chat, or the group. */
type Where = {
  readonly chat: { readonly kind: "phone" | "lid" | "group"; readonly value: string };
  readonly person: PersonRef;
};
const privately = (person: PersonRef): Where => ({ chat: { kind: "phone", value: person.phone ?? "" }, person });
const inGroup: Where = { chat: { kind: "group", value: groupId }, person: nobody };

function says(where: Where, waId: string, text: string, more: { by?: PersonRef; fromMe?: boolean } = {}): LineEvent {
  return {
    type: "message",
    message: {
      ...where,
      waId,
      fromMe: more.fromMe ?? false,
      participant: more.by ? { ...more.by, name: "Alguém" } : null,
      pushName: "",
      at: clock.now(),
      isOffline: false,
      quotedWaId: null,
      content: { kind: "text", text },
    },
  };
}

const edits = (where: Where, waId: string, text: string, author: PersonRef | null = null): LineEvent => ({
  type: "edit",
  ...where,
  waId,
  fromMe: false,
  author,
  text,
  at: clock.now(),
});
const deletes = (where: Where, waId: string, by: PersonRef | null = null, more: object = {}): LineEvent => ({
  type: "revoke",
  ...where,
  waId,
  fromMe: false,
  by,
  byMe: false,
  at: clock.now(),
  ...more,
});
const reacts = (where: Where, waId: string, sender: PersonRef, targetFromMe = false): LineEvent => ({
  type: "reaction",
  ...where,
  waId,
  targetFromMe,
  emoji: "💣",
  byMe: false,
  sender: { ...sender, name: "Eve" },
  at: clock.now(),
});

async function conversation(searchParam: string): Promise<Message[]> {
  const { body } = await admin.get<{ tickets: Ticket[] }>(`/tickets?searchParam=${searchParam}&showAll=true`);
  return (await admin.get<{ messages: Message[] }>(`/messages/${body.tickets[0]!.id}?peek=true`)).body.messages;
}
const group = async (): Promise<Message[]> => {
  const [row] = await desk.rows<{ id: number }>(`select id from tickets where is_group`);
  return (await admin.get<{ messages: Message[] }>(`/messages/${row!.id}?peek=true`)).body.messages;
};
const waiting = () => desk.rows(`select 1 from message_changes_waiting`);

describe("another chat", () => {
  test("cannot change a message by guessing its id: not by edit, deletion or reaction (M-15, W-08)", async () => {
    await receive(says(privately(maria), "A1", "combinado"), says(privately(maria), "B1", "nosso", { fromMe: true }));
    await receive(says(privately(eve), "E1", "oi"));
    await receive(
      edits(privately(eve), "A1", "nunca disse"),
      deletes(privately(eve), "A1"),
      reacts(privately(eve), "A1", eve),
    );
    await receive(reacts(privately(eve), "B1", eve, true));
    for (const message of await conversation(maria.phone!)) {
      expect(message).toMatchObject({ isEdited: false, isDeleted: false, reactions: [] });
    }
    // The changes stay pending for her own chat.
    expect(await waiting()).toHaveLength(4);
  });

  test("cannot change a message by coming early: a pending change is for its own chat", async () => {
    await receive(edits(privately(eve), "A1", "nunca disse"), deletes(privately(eve), "A1"));
    expect(await waiting()).toHaveLength(2);
    await receive(says(privately(maria), "A1", "combinado"));
    expect(await conversation(maria.phone!)).toMatchObject([{ body: "combinado", isEdited: false, isDeleted: false }]);
    expect(await waiting()).toHaveLength(2);
  });

  test("does not fill a placeholder of this chat", async () => {
    const placeholder = says(privately(maria), "A1", "") as Extract<LineEvent, { type: "message" }>;
    await receive({ ...placeholder, message: { ...placeholder.message, content: { kind: "undecryptable" } } });
    await receive(says(privately(eve), "A1", "sou a Maria"));
    expect(await conversation(maria.phone!)).toMatchObject([{ mediaType: "unsupported" }]);
    await receive(says(privately(maria), "A1", "agora sim"));
    expect(await conversation(maria.phone!)).toMatchObject([{ body: "agora sim" }]);
  });

  test("is the same chat under the person's other address (W-10)", async () => {
    await receive(says(privately(maria), "A1", "errado"));
    const byLid: Where = { chat: { kind: "lid", value: maria.lid! }, person: { phone: null, lid: maria.lid } };
    await receive(edits(byLid, "A1", "certo"));
    expect(await conversation(maria.phone!)).toMatchObject([{ body: "certo", isEdited: true }]);
  });
});

describe("a change that could not be read at first (M-15, W-08)", () => {
  const placeholder = (where: Where, waId: string, by?: PersonRef): LineEvent => {
    const event = says(where, waId, "", by ? { by } : {}) as Extract<LineEvent, { type: "message" }>;
    return { ...event, message: { ...event.message, content: { kind: "undecryptable" } } };
  };

  test("leaves no placeholder waiting for content: its row shows what it was", async () => {
    const here = privately(maria);
    await receive(
      says(here, "A1", "errado"),
      placeholder(here, "C1"),
      placeholder(here, "C2"),
      placeholder(here, "C3"),
    );
    await receive({ ...edits(here, "A1", "certo"), changeId: "C1" } as LineEvent);
    await receive({ ...reacts(here, "A1", maria), changeId: "C2" } as LineEvent);
    await receive(deletes(here, "A1", null, { changeId: "C3" }));
    expect(await conversation(maria.phone!)).toMatchObject([
      { isEdited: true, isDeleted: true },
      { mediaType: "unsupported", data: { what: "edit" } },
      { mediaType: "unsupported", data: { what: "reaction" } },
      { mediaType: "unsupported", data: { what: "revoke" } },
    ]);
    expect(await desk.rows(`select 1 from messages where is_stub`)).toEqual([]);
  });

  test("of a message that could not be read either: it is deleted at once, and still when its content comes", async () => {
    const here = privately(maria);
    await receive(placeholder(here, "A1"), deletes(here, "A1"));
    expect(await conversation(maria.phone!)).toMatchObject([{ isDeleted: true }]);
    await receive(says(here, "A1", "nunca disse"));
    expect(await conversation(maria.phone!)).toMatchObject([{ isDeleted: true }]);
    expect(await waiting()).toEqual([]);
    expect(await desk.rows(`select last_message, last_message_type from tickets`)).toEqual([
      { last_message: "", last_message_type: "deleted" },
    ]);

    await receive(placeholder(inGroup, "G1", rui), deletes(inGroup, "G1", eve));
    expect(await group()).toMatchObject([{ isDeleted: false }]);
    await receive(deletes(inGroup, "G1", rui));
    expect(await group()).toMatchObject([{ isDeleted: true }]);
  });

  test("does so for its own author and chat alone", async () => {
    await receive(
      says(privately(eve), "E1", "oi"),
      placeholder(privately(maria), "C1"),
      placeholder(inGroup, "C2", rui),
    );
    await receive({ ...edits(privately(eve), "E1", "olá"), changeId: "C1" } as LineEvent);
    await receive({ ...reacts(inGroup, "G1", eve), changeId: "C2" } as LineEvent);
    expect(await desk.rows(`select 1 from messages where is_stub`)).toHaveLength(2);
    await receive({ ...reacts(inGroup, "G1", rui), changeId: "C2" } as LineEvent);
    expect(await desk.rows(`select 1 from messages where is_stub`)).toHaveLength(1);
  });
});

describe("one person has one reaction (M-15, W-10)", () => {
  const shown = async (messages: Promise<Message[]>) => (await messages)[0]!.reactions.map(({ emoji }) => emoji);
  const reaction = (where: Where, sender: PersonRef, emoji: string): LineEvent =>
    ({ ...reacts(where, "A1", sender), emoji }) as LineEvent;
  const byLid = (person: PersonRef): PersonRef => ({ phone: null, lid: person.lid });

  test("in a chat, whichever address it comes from", async () => {
    const here = privately(maria);
    await receive(says(here, "A1", "oi"), reaction(here, maria, "❤️"));
    await receive({ ...reacts(here, "A1", maria), emoji: "🙏", byMe: true } as LineEvent);
    clock.advance({ seconds: 1 });
    await receive(reaction(here, byLid(maria), "👍"));
    expect((await shown(conversation(maria.phone!))).toSorted()).toEqual(["👍", "🙏"].toSorted());
    const late = reaction(here, maria, "💤");
    clock.advance({ seconds: 1 });
    await receive(reaction(here, byLid(maria), "👏"));
    await receive(late);
    expect((await shown(conversation(maria.phone!))).toSorted()).toEqual(["👏", "🙏"].toSorted());
    await receive(reaction(here, maria, ""));
    expect(await shown(conversation(maria.phone!))).toEqual(["🙏"]);
  });

  test("in a group, whose other members keep theirs", async () => {
    await receive(says(inGroup, "A1", "oi", { by: rui }), reaction(inGroup, byLid(maria), "❤️"));
    await receive(reaction(inGroup, eve, "💣"), reaction(inGroup, maria, "👍"));
    expect((await shown(group())).toSorted()).toEqual(["👍", "💣"].toSorted());
    await receive(reaction(inGroup, byLid(rui), "👏"), reaction(inGroup, rui, ""));
    expect((await shown(group())).toSorted()).toEqual(["👍", "💣"].toSorted());
  });
});

describe("in a group (M-17)", () => {
  beforeEach(() => receive(says(inGroup, "G1", "combinado", { by: rui })));

  test("only the author edits, under either address (W-08)", async () => {
    await receive(edits(inGroup, "G1", "nunca disse", { phone: null, lid: eve.lid }));
    await receive(edits(inGroup, "G1", "nunca disse", null));
    expect(await group()).toMatchObject([{ body: "combinado", isEdited: false }]);
    await receive(edits(inGroup, "G1", "combinado!", { phone: null, lid: rui.lid }));
    expect(await group()).toMatchObject([{ body: "combinado!", isEdited: true }]);
  });

  test("the author deletes; another one only as an admin of the group (W-08)", async () => {
    line.admins = [{ phone: null, lid: maria.lid }];
    await receive(says(inGroup, "G2", "segundo", { by: rui }), says(inGroup, "G3", "terceiro", { by: rui }));
    await receive(deletes(inGroup, "G1", rui), deletes(inGroup, "G2", eve), deletes(inGroup, "G3", maria));
    await desk.app.settle();
    expect((await group()).map(({ isDeleted }) => isDeleted)).toEqual([true, false, true]);
  });

  test("our message is deleted by an admin of the group alone", async () => {
    line.admins = [maria];
    await receive(says(inGroup, "O1", "nosso", { fromMe: true }), says(inGroup, "O2", "nosso", { fromMe: true }));
    await receive(deletes(inGroup, "O1", eve, { fromMe: true }), deletes(inGroup, "O2", maria, { fromMe: true }));
    await desk.app.settle();
    expect((await group()).map(({ isDeleted }) => isDeleted)).toEqual([false, false, true]);
  });

  test("the check of an admin is retried when WhatsApp did not return the group's members", async () => {
    line.groupAdmins = () => Promise.reject(new Error("timeout"));
    await receive(deletes(inGroup, "G1", maria));
    await desk.app.settle();
    line.groupAdmins = () => Promise.resolve([maria]);
    clock.advance({ minutes: 1 });
    await desk.app.settle();
    expect(await group()).toMatchObject([{ isDeleted: true }]);
  });
});

describe("the last-message preview (T-22)", () => {
  const lastOf = async () =>
    (await desk.rows(`select last_message as text, last_message_type as type from tickets`))[0];

  test("follows an edit and a deletion of the newest message, and of no other", async () => {
    await receive(says(privately(maria), "A1", "primeira"), says(privately(maria), "A2", "segunda"));
    await receive(edits(privately(maria), "A1", "outra"));
    expect(await lastOf()).toEqual({ text: "segunda", type: "chat" });
    await receive(edits(privately(maria), "A2", "corrigida"));
    expect(await lastOf()).toEqual({ text: "corrigida", type: "chat" });
    await desk.app.settle();
    const browser = await admin.connect();
    await browser.join("joinTickets", "pending");
    await receive(deletes(privately(maria), "A2"));
    await desk.app.settle();
    expect((await browser.next(`company-${desk.companyId}-ticket`)).payload).toMatchObject({
      action: "update",
      ticket: { lastMessage: "", lastMessageType: "deleted" },
    });
    browser.close();
  });
});
