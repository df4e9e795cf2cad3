import type { Message, Ticket } from "@prosa/contract";
import { expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { createMessagesFeature } from "../feature.ts";
import { sendMessages, toOutgoingMessages } from "../send/index.ts";

interface Page {
  readonly messages: Message[];
  readonly ticket: Ticket;
  readonly unread: number;
}

/** An open ticket of an agent on a fake line, and unread messages in it. */
async function aTicketWithMessages() {
  const lines = new Map<number, FakeLine>();
  const desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)]);
  const line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  const [agent, admin] = [await desk.person("user"), await desk.person("admin")];
  const { id: ticketId, contactId } = await desk.ticket({ status: "open", user: agent });
  const receive = async (texts: readonly string[]) => {
    for (const text of texts) {
      await desk.rows(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
        values (${desk.companyId}, ${ticketId}, ${contactId}, ${desk.connectionId}, 'in-${text}', false, '${text}', now())`);
    }
    await desk.rows(`update tickets set unread_messages = ${texts.length} where id = ${ticketId}`);
  };
  const openPage = async (who: Person, query = "") => (await who.get<Page>(`/messages/${ticketId}?${query}`)).body;
  return { desk, line, agent, admin, ticketId, receive, openPage };
}

test("opening resets unread and sends read receipts; peeking does not, and is for admins (M-14, T-07)", async () => {
  const { desk, line, agent, admin, ticketId, receive, openPage } = await aTicketWithMessages();
  await receive(["oi", "tudo bem?"]);
  for (const [who, query] of [
    [admin, "peek=true"],
    [agent, "ahead=true"],
    [admin, ""],
  ] as const) {
    const looked = await openPage(who, query);
    expect([looked.ticket.unreadMessages, looked.unread]).toEqual([2, 2]);
  }
  expect((await agent.get(`/messages/${ticketId}?peek=true`)).status).toBe(403);
  await desk.app.settle();
  expect(line.read).toEqual([]);

  const opened = await openPage(agent);
  // what was unread is said once more: a browser that has an old copy draws its line by it (Z-02)
  expect([opened.ticket.unreadMessages, opened.unread]).toEqual([0, 2]);
  expect(opened.messages.every(({ read }) => read)).toBe(true);
  await desk.app.settle();
  expect(line.read).toMatchObject([{ refs: [{ waId: "in-oi" }, { waId: "in-tudo bem?" }] }]);

  await receive(["mais"]);
  expect(await agent.post(`/messages/${ticketId}/read`)).toMatchObject({ status: 200 });
  expect(await openPage(agent)).toMatchObject({ ticket: { unreadMessages: 0 }, unread: 0 });
});

test("a look of anybody but its owner changes nothing (M-14)", async () => {
  const { desk, line, agent, admin, ticketId, receive, openPage } = await aTicketWithMessages();
  await receive(["oi"]);
  expect((await openPage(admin)).ticket.unreadMessages).toBe(1);
  expect(await admin.post(`/messages/${ticketId}/read`)).toMatchObject({ status: 200 });
  expect((await openPage(admin)).ticket.unreadMessages).toBe(1);
  await desk.rows(`update tickets set status = 'pending' where id = ${ticketId}`);
  expect((await openPage(agent)).ticket.unreadMessages).toBe(1);
  await desk.app.settle();
  expect(line.read).toEqual([]);
});

test("an agent's answer clears unread, is published and sends read receipts; the bot's and a duplicate do not (M-14)", async () => {
  const { desk, line, agent, admin, ticketId, receive } = await aTicketWithMessages();
  const unread = async () => (await agent.get<Ticket>(`/tickets/${ticketId}`)).body.unreadMessages;
  const socket = await agent.connect();
  await socket.join("joinTickets", "open");
  await receive(["oi", "tudo bem?"]);
  await desk.app.database.inCompany(desk.companyId, (ctx) =>
    sendMessages(ctx, ticketId, toOutgoingMessages({ body: "Bem-vindo", voice: false }, []), {
      isAutomatic: true,
      userId: agent.id,
    }),
  );
  expect(await unread()).toBe(2);

  expect(await agent.post(`/messages/${ticketId}`, { body: "Olá!", clientId: "the answer" })).toMatchObject({
    status: 200,
  });
  await desk.app.settle();
  await socket.flushed();
  expect(await unread()).toBe(0);
  expect(line.read).toMatchObject([{ refs: [{ waId: "in-oi" }, { waId: "in-tudo bem?" }] }]);
  const name = `company-${desk.companyId}-ticket`;
  expect(socket.packets.filter(({ event }) => event === name).map(({ payload }) => payload)).toContainEqual({
    action: "updateUnread",
    ticketId,
  });

  await receive(["mais"]);
  await agent.post(`/messages/${ticketId}`, { body: "Olá!", clientId: "the answer" });
  expect(await unread()).toBe(1);
  await admin.post(`/messages/${ticketId}`, { body: "Posso ajudar?" });
  expect(await unread()).toBe(0);
  socket.close();
});
