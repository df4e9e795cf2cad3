import { audit, privacy, queues } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { askAsOwner } from "#server/testing/as-owner.ts";
import { testLog } from "#server/testing/database.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import { retentionCron } from "./retention.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const signal = new AbortController().signal;
const aNight = async () => retentionCron.run({ ...app.services, log: testLog, signal });

/** A company with conversations whose messages were written 5, 20 and 60 days ago. */
async function anArchive() {
  const company = await aCompany(app);
  const line = await aConnection(company);
  return {
    company,
    admin: app.as(company.admin),
    queue: await aQueue(company),
    async ticketOf(queueId: number | null, status: string): Promise<number> {
      const contact = await aContact(company);
      const [ticket] = await askAsOwner<{ id: number }>(
        app.database.url,
        "insert into tickets (company_id, connection_id, contact_id, queue_id, status, last_message) values ($1, $2, $3, $4, $5, 'x') returning id",
        [company.id, line.id, contact.id, queueId, status],
      );
      const { id } = ticket!;
      for (const days of [5, 20, 60]) {
        await askAsOwner(
          app.database.url,
          "insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at) values ($1, $2, $3, $4, $5, false, $6, now() - make_interval(days => $7))",
          [company.id, id, contact.id, line.id, `R${id}-${days}`, `há ${days}`, days],
        );
      }
      return id;
    },
    /** Ended so many days ago after so many days, served in this queue. */
    async episode(ticketId: number, queueId: number | null, endedDaysAgo: number, days = 1): Promise<void> {
      await askAsOwner(
        app.database.url,
        "insert into episodes (company_id, ticket_id, queued_at, finished_at, queue_id) values ($1, $2, now() - make_interval(days => $4::int + $5::int), now() - make_interval(days => $4), $3)",
        [company.id, ticketId, queueId, endedDaysAgo, days],
      );
    },
    async left(ticketId: number): Promise<string[]> {
      const rows = await askAsOwner<{ body: string }>(
        app.database.url,
        "select body from messages where ticket_id = $1 order by sent_at",
        [ticketId],
      );
      return rows.map(({ body }) => body);
    },
  };
}

test("messages of resolved conversations go after the days of their queue or company, with a preview of how many (V-02)", async () => {
  const { admin, queue, ticketOf, left } = await anArchive();
  const ofQueue = await ticketOf(queue.id, "closed");
  const ofCompany = await ticketOf(null, "closed");
  const waiting = await ticketOf(null, "pending");

  const days = { companyDays: 30, queues: [{ id: queue.id, days: 10 }] };
  expect((await admin.call(privacy.previewRetention, { body: days })).body).toEqual({ messages: 3, files: 0 });
  expect((await admin.call(privacy.saveRetention, { body: days })).status).toBe(200);
  const foreign = await aQueue(await aCompany(app));
  const refused = await admin.call(privacy.saveRetention, {
    body: { companyDays: 1, queues: [{ id: foreign.id, days: 1 }] },
  });
  expect([refused.status, refused.body]).toMatchObject([404, { error: "ERR_NO_QUEUE_FOUND" }]);
  expect((await admin.call(privacy.retention)).body).toEqual({
    companyDays: 30,
    queues: [{ id: queue.id, name: queue.name, days: 10 }],
  });
  expect((await admin.call(queues.get, { params: { id: queue.id } })).body).toMatchObject({ retentionDays: 10 });

  await aNight();
  await aNight();
  expect(await left(ofQueue)).toEqual(["há 5"]);
  expect(await left(ofCompany)).toEqual(["há 20", "há 5"]);
  expect(await left(waiting)).toHaveLength(3);
  const log = await admin.call(audit.list, { query: { action: "retention.applied" } });
  expect(log.body.records).toMatchObject([{ actorKind: "system", details: { messages: 3 } }]);
});

test("an admin who changes a queue's days leaves the company's as a colleague has set them meanwhile (V-02)", async () => {
  const { company, admin, queue, ticketOf, left } = await anArchive();
  const colleague = app.as(await aUser(company, { profile: "admin" }));
  const kept = await ticketOf(null, "closed");
  await admin.call(privacy.saveRetention, { body: { companyDays: 30 } });
  await colleague.call(privacy.saveRetention, { body: { companyDays: null } });

  const body = { queues: [{ id: queue.id, days: 90 }] };
  expect((await admin.call(privacy.previewRetention, { body })).body).toEqual({ messages: 0, files: 0 });
  expect((await admin.call(privacy.saveRetention, { body })).status).toBe(200);
  expect((await admin.call(privacy.retention)).body).toMatchObject({ companyDays: null, queues: [{ days: 90 }] });
  await aNight();
  expect(await left(kept)).toHaveLength(3);
});

test("what was served in a queue is kept as long as that queue keeps, whichever serves the customer later (V-02)", async () => {
  const { company, admin, queue, ticketOf, episode, left } = await anArchive();
  const sales = await aQueue(company);
  await admin.call(privacy.saveRetention, {
    body: {
      companyDays: 30,
      queues: [
        { id: queue.id, days: 1_000 },
        { id: sales.id, days: 10 },
      ],
    },
  });
  const cameBack = await ticketOf(null, "closed");
  await episode(cameBack, queue.id, 50);
  await episode(cameBack, null, 4);
  const thenInSales = await ticketOf(sales.id, "closed");
  await episode(thenInSales, queue.id, 50);
  await episode(thenInSales, sales.id, 4);
  const thenKept = await ticketOf(queue.id, "closed");
  await episode(thenKept, sales.id, 15);
  await episode(thenKept, queue.id, 4);

  await aNight();
  expect(await left(cameBack)).toHaveLength(3);
  expect(await left(thenInSales)).toEqual(["há 60", "há 5"]);
  expect(await left(thenKept)).toEqual(["há 5"]);
});

test("of two conversations that ran side by side and became one, a message is kept as long as either's queue keeps (V-02)", async () => {
  const { company, admin, queue: legal, ticketOf, episode, left } = await anArchive();
  const sales = await aQueue(company);
  const queuesOfIt = [
    { id: legal.id, days: 1_000 },
    { id: sales.id, days: 10 },
  ];
  await admin.call(privacy.saveRetention, { body: { companyDays: 30, queues: queuesOfIt } });
  const salesEnded = await ticketOf(sales.id, "closed");
  await episode(salesEnded, legal.id, 4, 66);
  await episode(salesEnded, sales.id, 15, 10);
  const legalEnded = await ticketOf(sales.id, "closed");
  await episode(legalEnded, sales.id, 4, 66);
  await episode(legalEnded, legal.id, 15, 10);
  const bothOver = await ticketOf(sales.id, "closed");
  await episode(bothOver, sales.id, 15, 55);
  await episode(bothOver, null, 4, 61);
  expect((await admin.call(privacy.previewRetention, { body: {} })).body).toMatchObject({ messages: 1 });

  await aNight();
  expect(await left(salesEnded)).toHaveLength(3);
  expect(await left(legalEnded)).toHaveLength(3);
  expect(await left(bothOver)).toEqual(["há 20", "há 5"]);

  await admin.call(privacy.saveRetention, { body: { queues: [{ id: legal.id, days: null }] } });
  await aNight();
  expect(await left(salesEnded)).toEqual(["há 20", "há 5"]);
});

test("what a queue kept goes by the company's days once it is deleted, which the preview of its deletion counts (V-02)", async () => {
  const { admin, queue, ticketOf, left } = await anArchive();
  const served = await ticketOf(queue.id, "closed");
  await admin.call(privacy.saveRetention, { body: { companyDays: 30, queues: [{ id: queue.id, days: 1_000 }] } });
  const preview = async (body: object) => (await admin.call(privacy.previewRetention, { body })).body.messages;
  expect([await preview({}), await preview({ queues: [{ id: queue.id, days: null }] })]).toEqual([0, 1]);

  await admin.call(queues.remove, { params: { id: queue.id } });
  await aNight();
  expect(await left(served)).toEqual(["há 20", "há 5"]);
});
