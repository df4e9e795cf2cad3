import type { Message } from "@prosa/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { connectionsFeature } from "#server/features/connections/feature.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { createMessagesFeature } from "./feature.ts";
import { failPendingOnLineDeletion } from "./index.ts";

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
  desk = await aDesk([connectionsFeature({ failPendingOnLineDeletion }), tickets, messages, fakeLinesFeature(lines)], {
    clock,
  });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  agent = await desk.person("admin");
  ({ id: ticketId } = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() }));
});

const send = async (body: string) => (await agent.post<Message[]>(`/messages/${ticketId}`, { body })).body[0]!;
const edit = (id: number, body: string) => agent.post<Message>(`/messages/edit/${id}`, { body });
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

describe("deleting a line (W-01)", () => {
  test("fails its queued messages, changes and downloads with the reason, and leaves no job", async () => {
    const old = await sent("antiga");
    const photo = await sent("foto");
    await desk.rows(`update messages set media_type = 'image' where id = ${photo.id}`);
    await desk.rows(
      `insert into media (message_id, company_id, state, source) values (${photo.id}, ${desk.companyId}, 'wanted', 'x')`,
    );
    await desk.within(async (ctx) =>
      ctx.enqueue({
        task: "media.fetch",
        payload: { connectionId: desk.connectionId, messageId: photo.id },
        affinity: `line:${desk.connectionId}`,
      }),
    );
    line.isConnected = false;
    await send("na fila");
    await edit(old.id, "nova");
    await desk.app.settle();
    const browser = await agent.connect();
    await browser.join("joinChatBox", ticketId);

    expect((await agent.delete(`/whatsapp/${desk.connectionId}`)).status).toBe(200);
    lines.clear();
    await desk.app.settle();
    await browser.flushed();

    expect(await jobs()).toEqual([]);
    expect(await read()).toMatchObject([
      { body: "nova", ack: 1, changeFailure: { kind: "edit", reason: "connectionDeleted" } },
      { body: "foto", media: { state: "failed" } },
      { body: "na fila", ack: -1, failReason: "connectionDeleted" },
    ]);
    const updates = browser.packets.filter(({ event }) => event.endsWith("appMessage"));
    expect(updates.length).toBeGreaterThanOrEqual(3);
    expect(browser.packets.some(({ event }) => event.endsWith("-whatsapp"))).toBe(true);
    browser.close();
  });

  test.each([
    ["once it is erased", async () => desk.app.settle()],
    ["while its job waits", async () => undefined],
  ])("lets its failed messages be sent by the ticket's new line, %s", async (_when, wait) => {
    line.isConnected = false;
    const message = await send("na fila");
    const other = await desk.connection();
    const second = createFakeLine(other);
    lines.set(other, second);
    await agent.delete(`/whatsapp/${desk.connectionId}`);
    await wait();
    expect(await retry(message.id)).toMatchObject({ status: 404, body: { error: "ERR_NO_WAPP_FOUND" } });

    await agent.put(`/tickets/${ticketId}`, { whatsappId: other });
    expect((await retry(message.id)).body).toMatchObject({ ack: 0, failReason: null });
    await desk.app.settle();
    expect(second.texts()).toEqual(["na fila"]);
  });

  test("of another company is refused, and its jobs stay", async () => {
    const neighbour = await desk.otherCompany();
    await desk.within(async (ctx) =>
      ctx.enqueue({ task: "messages.receipts", payload: {}, affinity: `line:${neighbour.connectionId}` }),
    );
    const stranger = await neighbour.person("admin");
    expect((await stranger.delete(`/whatsapp/${desk.connectionId}`)).status).toBe(404);
    expect((await stranger.delete(`/whatsapp/${neighbour.connectionId}`)).status).toBe(200);
    expect(await jobs()).toEqual([{ task: "messages.receipts" }]);
  });
});
