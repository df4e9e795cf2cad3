import type { Message } from "@prosa/contract";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { SendError } from "#server/whatsapp/port.ts";
import { createMessagesFeature } from "../feature.ts";

const lines = new Map<number, FakeLine>();
const clock = createMovedClock("2026-05-04T12:00:00Z");
let desk: Desk;
let line: FakeLine;
let agent: Person;
let ticketId: number;

beforeEach(async () => {
  clock.set("2026-05-04T12:00:00Z");
  lines.clear();
  const messages = createMessagesFeature(() => (id) => lines.get(id));
  desk = await aDesk([tickets, messages, fakeLinesFeature(lines)], { clock });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  agent = await desk.person("admin");
  ({ id: ticketId } = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() }));
});

const send = async (body: string) => (await agent.post<Message[]>(`/messages/${ticketId}`, { body })).body[0]!;
const edit = (id: number, body: string) => agent.post<Message>(`/messages/edit/${id}`, { body });
const react = (id: number, emoji: string) => agent.post<Message>(`/messages/${id}/reaction`, { emoji });
const retry = (id: number) => agent.post<Message>(`/messages/${id}/retry`);
const read = async () => (await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`)).body.messages;
const jobs = () => desk.rows<{ task: string }>(`select task from jobs where state = 'live' and task not like 'cron:%'`);

/** Sends a message and delivers it to the line. */
async function sent(body: string): Promise<Message> {
  const message = await send(body);
  await desk.app.settle();
  line.sent.length = 0;
  return message;
}

const sentContents = () =>
  line.sent.map(({ content }) =>
    content.kind === "reaction" ? content.emoji : "text" in content ? content.text : content.kind,
  );

function refuse(kind: string, error = new SendError("refused", false)): void {
  line.onSend = ({ content }) => {
    if (content.kind === kind) {
      throw error;
    }
  };
}

test("the URL of a file is invalid after its message is deleted for everyone (M-10, M-04)", async () => {
  const form = new FormData();
  form.append("medias", new Blob(["a,b\n1,2\n"]), "dados.csv");
  const [message] = (await agent.post<Message[]>(`/messages/${ticketId}`, form)).body;
  const address = message!.mediaUrl!;
  await desk.app.settle();
  expect((await agent.get(address)).status).toBe(200);

  expect((await agent.delete(`/messages/${message!.id}`)).body).toMatchObject({ isDeleted: true, mediaUrl: null });
  expect((await agent.get(address)).status).toBe(404);
});

describe("a change that WhatsApp refuses (M-10, M-02)", () => {
  test("an edit is shown as failed, with its reason, and sent again when a person retries it", async () => {
    const { id } = await sent("errado");
    refuse("edit");
    await edit(id, "certo");
    await desk.app.settle();
    expect(await read()).toMatchObject([{ body: "certo", ack: 1, changeFailure: { kind: "edit", reason: "refused" } }]);

    line.onSend = () => undefined;
    expect((await retry(id)).body).toMatchObject({ changeFailure: null });
    await desk.app.settle();
    expect(sentContents()).toEqual(["certo"]);
    expect(await read()).toMatchObject([{ changeFailure: null }]);
    expect(await jobs()).toEqual([]);
  });

  test("a deletion is shown as failed, and cannot be retried after WhatsApp's time limit", async () => {
    const { id } = await sent("apagar");
    refuse("revoke");
    await agent.delete(`/messages/${id}`);
    await desk.app.settle();
    expect(await read()).toMatchObject([{ isDeleted: true, changeFailure: { kind: "revoke" } }]);
    clock.advance({ days: 3 });
    expect(await retry(id)).toMatchObject({ status: 400, body: { error: "ERR_FETCH_WAPP_MSG" } });
    expect(await read()).toMatchObject([{ changeFailure: { kind: "revoke" } }]);
  });

  test("a change fails after five attempts; a later change of the same kind is sent", async () => {
    const { id } = await sent("oi");
    let tries = 0;
    line.onSend = () => {
      tries += 1;
      throw new SendError("timeout", true);
    };
    await react(id, "👍");
    for (let round = 0; round < 8; round += 1) {
      await desk.app.settle();
      clock.advance({ minutes: 1 });
    }
    expect(tries).toBe(5);
    expect(await read()).toMatchObject([{ changeFailure: { kind: "reaction", reason: "timeout" } }]);
    line.onSend = () => undefined;
    await react(id, "❤️");
    await desk.app.settle();
    expect(sentContents()).toEqual(["❤️"]);
    expect(await read()).toMatchObject([{ changeFailure: null }]);
  });

  test("a change that killed the process at each attempt is shown as failed", async () => {
    const { id } = await sent("errado");
    await edit(id, "certo");
    await desk.rows(`update jobs set attempts = 5 where task = 'messages.change'`);
    await desk.app.settle();
    expect(sentContents()).toEqual([]);
    expect(await read()).toMatchObject([{ changeFailure: { kind: "edit", reason: "unknown" } }]);
  });

  test("the failure reaches everyone who has the conversation open", async () => {
    const { id } = await sent("errado");
    const browser = await agent.connect();
    await browser.join("joinChatBox", ticketId);
    refuse("edit");
    await edit(id, "certo");
    await desk.app.settle();
    await browser.flushed();
    const updates = browser.packets
      .filter(({ event }) => event.endsWith("appMessage"))
      .map(({ payload }) => (payload as { message: Message }).message.changeFailure);
    expect(updates.at(-1)).toEqual({ kind: "edit", reason: "refused" });
    browser.close();
  });
});

describe("while the line disconnects and reconnects", () => {
  test("changes are sent in the order in which they were made, and before later messages", async () => {
    const [first, second] = [await sent("um"), await sent("dois")];
    line.isConnected = false;
    expect((await edit(first.id, "\u200b")).status).toBe(400);
    await edit(first.id, "um!");
    await react(second.id, "👍");
    await desk.app.settle();
    await send("três");
    await edit(second.id, "dois!");
    for (let round = 0; round < 3; round += 1) {
      clock.advance({ seconds: 2 });
      await desk.app.settle();
    }
    line.isConnected = true;
    clock.advance({ seconds: 2 });
    await desk.app.settle();
    expect(sentContents()).toEqual(["um!", "👍", "três", "dois!"]);
  });

  test("an edit that waited past WhatsApp's time limit is shown as refused, and not sent (M-10)", async () => {
    const [late, soon] = [await sent("errado"), await sent("cedo")];
    line.isConnected = false;
    await edit(late.id, "certo");
    await desk.app.settle();
    clock.advance({ minutes: 14 });
    // The time counts from when WhatsApp had the message, which may have waited itself.
    await desk.rows(`insert into sent_payloads (company_id, connection_id, wa_id, payload, created_at)
      select company_id, connection_id, wa_id, '', '${clock.now().toISOString()}' from messages where id = ${soon.id}`);
    await edit(soon.id, "a tempo");
    clock.advance({ minutes: 2 });
    line.isConnected = true;
    await desk.app.settle();
    expect(sentContents()).toEqual(["a tempo"]);
    const refused = { kind: "edit", reason: "refused" };
    expect(await read()).toMatchObject([{ body: "certo", changeFailure: refused }, { changeFailure: null }]);
    expect(await retry(late.id)).toMatchObject({ status: 400, body: { error: "ERR_FETCH_WAPP_MSG" } });
    expect(await jobs()).toEqual([]);
  });

  test("of two reactions the last one wins, and an edit is not sent after its deletion", async () => {
    const { id } = await sent("oi");
    line.isConnected = false;
    await react(id, "👍");
    clock.advance({ seconds: 1 });
    await react(id, "❤️");
    await edit(id, "olá");
    await agent.delete(`/messages/${id}`);
    await desk.app.settle();
    line.isConnected = true;
    clock.advance({ seconds: 2 });
    await desk.app.settle();
    expect(new Set(sentContents().slice(0, 2))).toEqual(new Set(["❤️"]));
    expect(sentContents().slice(2)).toEqual(["revoke"]);
  });

  test("the deletion of a message that may have reached WhatsApp is sent", async () => {
    const message = await send("na dúvida");
    const [row] = await desk.rows<{ wa_id: string }>(`select wa_id from messages where id = ${message.id}`);
    await desk.rows(`insert into sent_payloads (company_id, connection_id, wa_id, payload)
      values (${desk.companyId}, ${desk.connectionId}, '${row!.wa_id}', '')`);
    await agent.delete(`/messages/${message.id}`);
    await desk.app.settle();
    expect(sentContents()).toEqual(["revoke"]);
  });
});

describe("refused with an error code (E-03)", () => {
  test("a deletion that was undone before it was sent is not sent", async () => {
    const { id } = await sent("tudo certo");
    await agent.delete(`/messages/${id}`);
    await desk.rows(`update messages set is_deleted = false where id = ${id}`);
    await desk.app.settle();
    expect(sentContents()).toEqual([]);
  });

  test("an edit of blanks, a card without a number, the retry of what was deleted", async () => {
    const { id } = await sent("oi");
    for (const body of ["", "  \n\t "]) {
      expect(await edit(id, body)).toMatchObject({ status: 400, body: { error: "ERR_VALIDATION" } });
    }
    const card = { vcard: { name: "Rui", number: "sem número" } };
    expect(await agent.post(`/messages/${ticketId}`, card)).toMatchObject({
      status: 400,
      body: { error: "ERR_VALIDATION" },
    });

    refuse("text");
    const failed = await send("não");
    await desk.app.settle();
    await agent.delete(`/messages/${failed.id}`);
    expect(await retry(failed.id)).toMatchObject({ status: 400, body: { error: "ERR_SENDING_WAPP_MSG" } });
    await desk.app.settle();
    expect((await read()).find((message) => message.id === failed.id)).toMatchObject({ ack: -1, isDeleted: true });
  });

  test("an edit of the newest message reaches the list (T-22)", async () => {
    const { id } = await sent("errado");
    await edit(id, "certo");
    expect((await agent.get(`/tickets/${ticketId}`)).body).toMatchObject({ lastMessage: "certo" });
  });
});

test("pending changes are deleted after two weeks, in every company", async () => {
  const neighbour = await desk.otherCompany();
  for (const { companyId, connectionId, rows } of [desk, neighbour]) {
    await rows(`insert into message_changes_waiting (company_id, connection_id, wa_id, change, at) values
      (${companyId}, ${connectionId}, 'old', '{}', '2026-04-19T12:00:00Z'),
      (${companyId}, ${connectionId}, 'new', '{}', '2026-04-21T12:00:00Z')`);
  }
  await desk.app.settle();
  clock.advance({ hours: 1 });
  await desk.app.settle();
  const { rows } = await sql<{ wa_id: string }>`select wa_id from message_changes_waiting`.execute(desk.app.db.system);
  expect(rows).toEqual([{ wa_id: "new" }, { wa_id: "new" }]);
});
