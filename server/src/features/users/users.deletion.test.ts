import { quickMessages, users } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import { waitUntil } from "#server/testing/wait-until.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("the open tickets of a deleted user become pending, and their session ends (U-05)", async () => {
  const own = await aCompany(app);
  const queue = await aQueue(own);
  const agent = await aUser(own, { queues: [queue] });
  const [connection, contact] = [await aConnection(own), await aContact(own)];
  const opened = await app.as(agent).post<{ id: number }>("/tickets", {
    contactId: contact.id,
    whatsappId: connection.id,
    queueId: queue.id,
    status: "open",
  });
  expect([opened.status, opened.body]).toMatchObject([200, { status: "open", userId: agent.userId }]);

  expect((await app.as(own.admin).call(users.remove, { params: { id: agent.userId } })).status).toBe(200);
  await app.settle();

  const ticket = await app.as(own.admin).get(`/tickets/${opened.body.id}`);
  expect(ticket.body).toMatchObject({ status: "pending", userId: null });
  expect((await app.as(agent).get("/settings")).status).toBe(401);
  const oneself = await app.as(own.admin).call(users.remove, { params: { id: own.admin.userId } });
  expect(oneself.status).toBe(403);
});

test("a deleted user's general quick messages stay, and open pages hear of it; personal ones go (U-05, O-01)", async () => {
  const own = await aCompany(app);
  const agent = await aUser(own);
  const create = async (shortcode: string, geral: boolean) =>
    (await app.as(agent).call(quickMessages.create, { body: { shortcode, message: "Olá", geral } })).body;
  const [shared, personal] = [await create("nossa", true), await create("minha", false)];
  const picture = new FormData();
  picture.set("file", new File([png], "mesa.png", { type: "image/png" }));
  const upload = { params: { id: shared.id }, body: picture as never };
  expect((await app.as(agent).call(quickMessages.upload, upload)).status).toBe(200);
  const page = await app.connect(own.admin);

  expect((await app.as(own.admin).call(users.remove, { params: { id: agent.userId } })).status).toBe(200);
  await app.settle();

  const { body } = await app.as(own.admin).call(quickMessages.list, { query: {} });
  expect(body.records).toMatchObject([{ id: shared.id, shortcode: "nossa", userId: null, mediaName: "mesa.png" }]);
  expect((await app.as(own.admin).get(`/quick-messages/${personal.id}`)).status).toBe(404);
  await page.flushed();
  const told = page.packets.filter(({ event }) => event === `company-${own.id}-quickmessage`);
  expect(told.map(({ payload }) => payload)).toEqual(
    expect.arrayContaining([
      { action: "update", record: expect.objectContaining({ id: shared.id, userId: null }) },
      { action: "delete", id: personal.id },
    ]),
  );
  page.close();
});

test("a ticket that a user accepts while being deleted becomes pending (U-05)", async () => {
  const own = await aCompany(app);
  const agent = await aUser(own);
  const [connection, contact] = [await aConnection(own), await aContact(own)];
  const wish = { contactId: contact.id, whatsappId: connection.id, status: "open" };
  const { body: ticket } = await app.as(own.admin).post<{ id: number }>("/tickets", wish);
  await app.as(own.admin).put(`/tickets/${ticket.id}`, { status: "pending" });
  let removed: Promise<{ readonly status: number }> | undefined;
  await own.inside(async ({ db }) => {
    const { rows } = await sql<{ pid: number }>`update tickets set status = 'open', user_id = ${agent.userId}
      where id = ${ticket.id} returning pg_backend_pid() as pid`.execute(db);
    removed = app.as(own.admin).call(users.remove, { params: { id: agent.userId } });
    const waitsForUs = sql`select 1 from pg_locks where not granted and ${rows[0]?.pid} = any(pg_blocking_pids(pid))`;
    await waitUntil(async () => (await waitsForUs.execute(db)).rows.length > 0);
  });
  expect((await removed)?.status).toBe(200);
  const { body } = await app.as(own.admin).get(`/tickets/${ticket.id}`);
  expect(body).toMatchObject({ status: "pending", userId: null });
});

test("a user who is deleted during a request gets an error about what is gone, never a 500 (U-05, E-02)", async () => {
  const own = await aCompany(app);
  const answers: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const agent = await aUser(own);
    const writes = Array.from({ length: 5 }, (_, at) =>
      app.as(agent).call(quickMessages.create, { body: { shortcode: `r${round}-${at}`, message: "Olá" } }),
    );
    const removed = app.as(own.admin).call(users.remove, { params: { id: agent.userId } });
    answers.push(...(await Promise.all([...writes, removed])).map(({ status }) => status));
  }
  expect(answers.filter((status) => ![200, 401, 404].includes(status))).toEqual([]);
});
