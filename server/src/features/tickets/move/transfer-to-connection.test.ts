import { messages, notes, queueIntegrations, tickets } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { askAsOwner, asOwner } from "#server/testing/as-owner.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A contact with a conversation on each of two connections; the one on the second is resolved. */
async function twoConversations() {
  const company = await aCompany(app);
  const [first, second] = [
    await aConnection(company, { name: "Loja" }),
    await aConnection(company, { name: "Fábrica" }),
  ];
  const contact = await aContact(company);
  const admin = app.as(company.admin);
  const opened = async (whatsappId: number) =>
    (await admin.call(tickets.create, { body: { contactId: contact.id, whatsappId, status: "open" } })).body;
  const former = await opened(second.id);
  const said = async (ticketId: number, whatsappId: number, body: string, daysAgo: number) =>
    asOwner(
      app.database.url,
      `insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at, is_read)
       values (${company.id}, ${ticketId}, ${contact.id}, ${whatsappId}, '${body}', false, '${body}', now() - interval '${daysAgo} days', false)`,
    );
  await said(former.id, second.id, "antes", 9);
  await asOwner(app.database.url, `update tickets set unread_messages = 1 where id = ${former.id}`);
  await admin.call(notes.create, { body: { note: "prefere Pix", ticketId: former.id, contactId: contact.id } });
  const integration = { type: "webhook", name: "Sistema", urlN8N: "https://sistema.example/hook" } as const;
  const { id: integrationId } = (await admin.call(queueIntegrations.create, { body: integration })).body;
  await asOwner(
    app.database.url,
    `insert into integration_calls (company_id, integration_id, delivery_id, ticket_id, request, created_at)
     values (${company.id}, ${integrationId}, gen_random_uuid(), ${former.id}, '{}', now())`,
  );
  const ticket = await opened(first.id);
  await said(ticket.id, first.id, "agora", 0);
  return { company, admin, contact, first, second, former, ticket };
}

test("a conversation moves to a connection where the contact has a resolved one: they are one history from then on (T-14, V-02)", async () => {
  const { company, admin, second, former, ticket } = await twoConversations();
  await admin.call(tickets.update, { params: { id: former.id }, body: { status: "closed" } });
  const socket = await app.connect(company.admin);
  await socket.join("joinNotification");

  const body = { whatsappId: second.id, userId: company.admin.userId };
  const moved = await admin.call(tickets.update, { params: { id: ticket.id }, body });
  expect([moved.status, moved.body]).toMatchObject([200, { id: ticket.id, status: "open", whatsappId: second.id }]);
  await app.settle();

  const history = await admin.call(messages.list, { params: { ticketId: ticket.id } });
  const texts = history.body.messages.map((message) => message.body);
  expect(texts.filter((text) => ["antes", "agora"].includes(text))).toEqual(["antes", "agora"]);
  expect((await admin.call(notes.list, { query: { ticketId: ticket.id } })).body).toMatchObject([
    { note: "prefere Pix" },
  ]);
  // an erasure of the contact finds them by it
  const calls = await askAsOwner(
    app.database.url,
    `select ticket_id as "ticketId" from integration_calls where company_id = ${company.id}`,
  );
  expect(calls).toEqual([{ ticketId: ticket.id }]);
  const episodes = await admin.call(tickets.episodes, { params: { id: ticket.id } });
  expect(episodes.body.map(({ finishedAt }) => finishedAt === null)).toEqual([true, false]);
  expect((await admin.call(tickets.get, { params: { id: former.id } })).status).toBe(404);
  const reloaded = socket.packets.filter(({ payload }) => (payload as { action?: string }).action === "reload");
  expect(reloaded).toMatchObject([{ payload: { mergedId: former.id, ticket: { id: ticket.id } } }]);
  socket.close();
});

test("a long resolved conversation has more time to be joined than other requests have (T-14)", async () => {
  const { company, admin, second, former, ticket } = await twoConversations();
  await admin.call(tickets.update, { params: { id: former.id }, body: { status: "closed" } });
  await asOwner(
    app.database.url,
    `create function refuse_short() returns trigger language plpgsql as $$
      begin
        if current_setting('statement_timeout')::interval <= interval '5 seconds' then
          raise exception 'too slow' using errcode = 'query_canceled';
        end if;
        return null;
      end $$`,
    `create trigger refuse_short after update of ticket_id on messages
      for each statement execute function refuse_short()`,
  );
  const body = { whatsappId: second.id, userId: company.admin.userId };
  const moved = await admin.call(tickets.update, { params: { id: ticket.id }, body });
  await asOwner(app.database.url, "drop trigger refuse_short on messages");
  expect(moved.status).toBe(200);
});

test("one that is served or waits there is named by its owner and queue, and nothing moves (T-14, T-16)", async () => {
  const { company, admin, first, second, former, ticket } = await twoConversations();
  const queue = await aQueue(company);
  const bia = await aUser(company, { name: "Bia", queues: [queue] });
  const toBia = { userId: bia.userId, queueId: queue.id };
  await admin.call(tickets.update, { params: { id: former.id }, body: toBia });

  const body = { whatsappId: second.id, userId: company.admin.userId };
  const refused = await admin.put<{ error: string; code: string }>(`/tickets/${ticket.id}`, body);
  expect([refused.status, refused.body.code]).toEqual([409, "ERR_OTHER_OPEN_TICKET"]);
  expect(JSON.parse(refused.body.error)).toMatchObject({
    id: former.id,
    user: { name: "Bia" },
    queue: { name: queue.name },
  });
  expect((await admin.call(tickets.get, { params: { id: ticket.id } })).body.whatsappId).toBe(first.id);
  const [kept] = await askAsOwner<{ n: number }>(
    app.database.url,
    `select count(*)::int as n from messages where ticket_id = ${former.id} and body = 'antes'`,
  );
  expect(kept?.n).toBe(1);
});
