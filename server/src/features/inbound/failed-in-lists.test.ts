import { connections, tickets, wireName } from "@prosa/contract";
import type { Message, Ticket, WirePayload } from "@prosa/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { failMessages } from "#server/features/messages/index.ts";
import { createBotScenario, createFakeLineApp, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aConnection, aUser } from "#server/testing/factories.ts";
import { createFakeLine } from "#server/testing/fake-line.ts";
import type { SentByLine } from "#server/testing/fake-line.ts";
import type { TestSocket } from "#server/testing/socket.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";

const maria = "5511988887777";

let fakeLineApp: FakeLineApp;
let scenario: BotScenario;
let ticketId: number;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

beforeEach(async () => {
  scenario = await createBotScenario(fakeLineApp, { hasQueues: false });
  await scenario.sendTexts(maria, "oi");
  ({ id: ticketId } = await scenario.ticketOf(maria));
  await scenario.admin.put(`/tickets/${ticketId}`, { status: "open" });
  await scenario.app.settle();
  scenario.clock.advance({ minutes: 1 });
});

/** Refuses the texts for which `isRefused` holds, for good. */
function refuse(isRefused: (text: string) => boolean): void {
  scenario.line.onSend = ({ content }: SentByLine) => {
    if (content.kind === "text" && isRefused(content.text)) {
      throw new SendError("refused", false);
    }
  };
}

async function say(body: string): Promise<Message> {
  const { body: sent } = await scenario.admin.post<Message[]>(`/messages/${ticketId}`, { body });
  await scenario.app.settle();
  scenario.clock.advance({ seconds: 5 });
  return sent[0]!;
}

async function retry(id: number): Promise<void> {
  expect((await scenario.admin.post(`/messages/${id}/retry`)).status).toBe(200);
}

async function idOnWhatsApp({ id }: Message): Promise<string> {
  const [row] = await inCompany(({ raw }) => raw(WA_ID, [id]));
  return row!.waId;
}

const WA_ID: Statement<{ waId: string }> = {
  name: "test_wa_id",
  text: `select wa_id as "waId" from messages where id = $1`,
};

function inCompany<T>(work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { app, company, connection, clock } = scenario;
  const actor = { kind: "line", companyId: company.id, connectionId: connection.id } as const;
  return app.db.inCompany({ actor, companyId: company.id, log: app.services.log, clock }, work);
}

async function status(message: Message, value: -1 | 1 | 2 | 4): Promise<LineEvent> {
  const reason = value === -1 ? "limited" : null;
  return { type: "status", waIds: [await idOnWhatsApp(message)], status: value, reason };
}

/** What the list says, which the ticket alone says too. */
async function isFailedInList(): Promise<boolean> {
  const { lastMessageFailed } = await scenario.ticketOf(maria);
  expect((await scenario.admin.get<Ticket>(`/tickets/${ticketId}`)).body).toMatchObject({ lastMessageFailed });
  return lastMessageFailed;
}

/** A colleague's list of open tickets, kept by its events alone. */
async function listOfColleague(): Promise<{ mark: () => Promise<boolean | undefined>; socket: TestSocket }> {
  const ana = await aUser(scenario.company, { name: "Ana Lima", profile: "admin" });
  const socket = await scenario.app.connect(ana);
  await socket.join("joinTickets", "open");
  const name = wireName(scenario.company.id, "ticket");
  return {
    socket,
    async mark() {
      await scenario.app.settle();
      await socket.flushed();
      const updates = socket.packets
        .filter(({ event }) => event === name)
        .map(({ payload }) => payload as WirePayload<"ticket">)
        .flatMap((packet) => (packet.action === "update" ? [packet.ticket] : []));
      // as a browser does: an older version never overwrites a newer one
      return updates.toSorted((a, b) => a.version - b.version).at(-1)?.lastMessageFailed;
    },
  };
}

test("the list says that the last message was not delivered, to colleagues live, until it is retried (Z-02)", async () => {
  const { mark, socket } = await listOfColleague();
  refuse(() => true);
  const message = await say("segue o boleto");
  expect([await isFailedInList(), await mark()]).toEqual([true, true]);

  refuse(() => false);
  await retry(message.id);
  // queued again, before anything was sent
  expect(await isFailedInList()).toBe(false);
  expect(await mark()).toBe(false);
  expect(await isFailedInList()).toBe(false);
  expect(scenario.line.texts().at(-1)).toContain("segue o boleto");
  socket.close();
});

test("a failure that WhatsApp reports later marks the row, and an ack that comes after all clears it (Z-02, M-02)", async () => {
  const { mark, socket } = await listOfColleague();
  scenario.line.isConnected = false;
  const message = await say("chega amanhã");
  expect(await isFailedInList()).toBe(false);

  await scenario.receive([await status(message, -1)]);
  expect([await isFailedInList(), await mark()]).toEqual([true, true]);

  await scenario.receive([await status(message, 2)]);
  expect([await isFailedInList(), await mark()]).toEqual([false, false]);
  const delivered = (await scenario.messagesOf(maria)).find(({ id }) => id === message.id);
  expect(delivered).toMatchObject({ ack: 2, failReason: null });
  socket.close();
});

test("a newer message takes the mark away: the contact's, an own one, one from the phone (Z-02)", async () => {
  refuse((text) => text.includes("não vai"));
  const at = () => scenario.clock.now();
  const newer = [
    () => scenario.receive([messageFrom(maria, "alô?", at())]),
    () => say("vai"),
    () => scenario.receive([messageFrom(maria, "do telefone", at(), { fromMe: true })]),
  ];
  for (const write of newer) {
    await say("não vai");
    expect(await isFailedInList()).toBe(true);
    await write();
    expect(await isFailedInList()).toBe(false);
    scenario.clock.advance({ seconds: 5 });
  }
});

test("a message that is the last no more marks nothing when it fails, nor tells any list (Z-02)", async () => {
  scenario.line.isConnected = false;
  const message = await say("antes");
  await scenario.receive([messageFrom(maria, "alô?", scenario.clock.now())]);
  const before = await scenario.ticketOf(maria);

  await scenario.receive([await status(message, -1)]);
  await scenario.receive([await status(message, 1)]);
  expect(await scenario.ticketOf(maria)).toEqual({ ...before, lastMessageFailed: false });
});

test("of two failures the last message's counts (Z-02)", async () => {
  refuse(() => true);
  const [first, second] = [await say("um"), await say("dois")];
  expect(await isFailedInList()).toBe(true);

  await retry(first.id);
  await scenario.app.settle();
  expect(await isFailedInList()).toBe(true);

  refuse((text) => text.includes("um"));
  await retry(second.id);
  await scenario.app.settle();
  expect(await isFailedInList()).toBe(false);
});

test("a retry that fails again marks the row again, and acks do not touch it (Z-02)", async () => {
  refuse(() => true);
  const message = await say("segue");
  await retry(message.id);
  await scenario.app.settle();
  expect(await isFailedInList()).toBe(true);

  refuse(() => false);
  await retry(message.id);
  const { version } = await scenario.ticketOf(maria);
  await scenario.app.settle();
  for (const value of [1, 2, 4] as const) {
    await scenario.receive([await status(message, value)]);
  }
  expect(await scenario.ticketOf(maria)).toMatchObject({ version, lastMessageFailed: false });
});

test("late acks after a failure tell the list once (Z-02)", async () => {
  scenario.line.isConnected = false;
  const message = await say("segue");
  await scenario.receive([await status(message, -1), await status(message, 1)]);
  const { version } = await scenario.ticketOf(maria);
  await scenario.receive([await status(message, 2)]);
  await scenario.receive([await status(message, 4)]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ version, lastMessageFailed: false });
});

test("a failed message that is deleted is no failure; an edit and a note leave the mark (Z-02, M-10)", async () => {
  refuse(() => true);
  const message = await say("segue");
  await scenario.admin.post(`/messages/edit/${message.id}`, { body: "segue hoje" });
  await scenario.admin.post("/ticket-notes", { ticketId, note: "o boleto não foi" });
  expect(await isFailedInList()).toBe(true);

  expect((await scenario.admin.delete(`/messages/${message.id}`)).status).toBe(200);
  await scenario.app.settle();
  expect(await isFailedInList()).toBe(false);
});

test("a group's row is marked as a contact's is (Z-02)", async () => {
  await scenario.saveSetting("CheckMsgIsGroup", "disabled");
  const group = { kind: "group", value: "120363000000000001" } as const;
  const participant = { phone: maria, lid: null, name: "Maria" };
  await scenario.receive([messageFrom("", "oi, grupo", scenario.clock.now(), { chat: group, participant })]);
  const groups = (await scenario.admin.call(tickets.list, { query: { pageNumber: 1, showAll: "true" } })).body.tickets;
  const { id } = groups.find(({ isGroup }) => isGroup)!;
  await scenario.admin.put(`/tickets/${id}`, { status: "open" });
  refuse(() => true);
  await scenario.admin.post(`/messages/${id}`, { body: "bom dia a todos" });
  await scenario.app.settle();
  expect((await scenario.admin.get<Ticket>(`/tickets/${id}`)).body.lastMessageFailed).toBe(true);
});

test("what a deleted line did not send any more is marked, and not when another line sent it (Z-02, W-01)", async () => {
  const { mark, socket } = await listOfColleague();
  scenario.line.isConnected = false;
  const message = await say("na fila");
  await scenario.admin.call(connections.remove, { params: { id: scenario.connection.id } });
  expect([await isFailedInList(), await mark()]).toEqual([true, true]);

  const other = await aConnection(scenario.company, { name: "Outra" });
  fakeLineApp.lines.set(other.id, createFakeLine(other.id));
  await scenario.admin.put(`/tickets/${ticketId}`, { whatsappId: other.id });
  await retry(message.id);
  expect([await isFailedInList(), await mark()]).toEqual([false, false]);
  socket.close();
});

test("a failure locks the ticket before the message, as a retry does, so that the two cannot deadlock (Z-02)", async () => {
  scenario.line.isConnected = false;
  const message = await say("segue");
  const event = await status(message, -1);
  let failing: Promise<void> | undefined;
  await inCompany(async ({ raw }) => {
    await raw({ name: "test_lock_ticket", text: "select from tickets where id = $1 for no key update" }, [ticketId]);
    failing = scenario.receive([event]);
    await expect.poll(async () => (await raw(WAITING, []))[0]?.count).toBe(1);
    await raw({ name: "test_lock_message", text: "select from messages where id = $1 for no key update nowait" }, [
      message.id,
    ]);
  });
  await failing;
  expect(await isFailedInList()).toBe(true);
});

test("an ack that waits for the commit of a failure clears the mark after it (Z-02)", async () => {
  scenario.line.isConnected = false;
  const message = await say("segue");
  const [waId, ack] = [await idOnWhatsApp(message), await status(message, 2)];
  const { version } = await scenario.ticketOf(maria);
  let acknowledging: Promise<void> | undefined;
  await inCompany(async (ctx) => {
    await failMessages(ctx, scenario.connection.id, [waId], "timeout");
    acknowledging = scenario.receive([ack]);
    await expect.poll(async () => (await ctx.raw(WAITING, []))[0]?.count).toBe(1);
  });
  await acknowledging;
  // one version for the failure, and one that takes it back: a list may have read the first
  expect(await scenario.ticketOf(maria)).toMatchObject({ version: version + 2, lastMessageFailed: false });
});

/** Transactions that wait for a lock of this one. */
const WAITING: Statement<{ count: number }> = {
  name: "test_waiting",
  text: "select count(*)::int as count from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))",
};
