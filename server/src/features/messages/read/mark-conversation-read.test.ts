import type { Message, Ticket } from "@prosa/contract";
import { expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { aDesk } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { createMessagesFeature } from "../feature.ts";

interface Page {
  readonly messages: Message[];
  readonly ticket: Ticket;
}

test("opening resets unread and sends read receipts; peeking does not, and is for admins (M-14, T-07)", async () => {
  const lines = new Map<number, FakeLine>();
  const desk = await aDesk([tickets, createMessagesFeature(() => (id) => lines.get(id)), fakeLinesFeature(lines)]);
  const line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  const [agent, admin] = [await desk.person("user"), await desk.person("admin")];
  const { id: ticketId, contactId } = await desk.ticket({ status: "open", user: agent });
  const page = async (query = "", who = agent) => (await who.get<Page>(`/messages/${ticketId}?${query}`)).body;
  const receive = async (texts: readonly string[]) => {
    for (const text of texts) {
      await desk.rows(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
        values (${desk.companyId}, ${ticketId}, ${contactId}, ${desk.connectionId}, 'in-${text}', false, '${text}', now())`);
    }
    await desk.rows(`update tickets set unread_messages = ${texts.length} where id = ${ticketId}`);
  };

  await receive(["oi", "tudo bem?"]);
  expect((await page("peek=true", admin)).ticket.unreadMessages).toBe(2);
  expect((await agent.get(`/messages/${ticketId}?peek=true`)).status).toBe(403);
  await desk.app.settle();
  expect(line.read).toEqual([]);

  const opened = await page();
  expect(opened.ticket.unreadMessages).toBe(0);
  expect(opened.messages.every(({ read }) => read)).toBe(true);
  await desk.app.settle();
  expect(line.read).toMatchObject([{ refs: [{ waId: "in-oi" }, { waId: "in-tudo bem?" }] }]);

  await receive(["mais"]);
  expect(await agent.post(`/messages/${ticketId}/read`)).toMatchObject({ status: 200 });
  expect((await page()).ticket.unreadMessages).toBe(0);
});
