import { createHmac, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { readdir, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  apiKeys,
  companies,
  contacts,
  invitations,
  messages,
  tickets,
  webhookEvents,
  webhookEventTypes,
  webhooks,
} from "@prosa/contract";
import type { ApiScope, WebhookEventType } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { features as allFeatures } from "#server/app/features.ts";
import { webhookHeaders } from "#server/platform/net/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { Job } from "#server/platform/jobs/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestAppOptions } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { deliverWebhook, enqueueForgotten, FAN_OUT_TASK } from "./deliver/index.ts";
import { webhooksFeature } from "./feature.ts";
import { insertDeliveries } from "./webhooks.queries.ts";

const clock = createMovedClock();
const featuresWith = (timeoutMs: number) =>
  allFeatures.map((feature) => (feature.name === "webhooks" ? webhooksFeature({ timeoutMs }) : feature));
const options: TestAppOptions = { clock, features: featuresWith(300), env: { WEBHOOK_PRIVATE_HOSTS: "on" } };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp(options);
});
afterAll(() => app.close());

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: {
    readonly type: WebhookEventType;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/**
 * Runs what is due until nothing is. The wake-up of the outbox is not awaited by the log's reader: the cron's is called as well, and a
 * job that it is just enqueueing again is skipped by a claim.
 */
async function settle(): Promise<void> {
  for (let isDue = true; isDue;) {
    await app.settle();
    await enqueueForgotten(app.db);
    await app.settle();
    const { rows } = await sql`select from webhook_events
      union all select from jobs where task = ${FAN_OUT_TASK} and state = 'live' limit 1`.execute(app.db.system);
    isDue = rows.length > 0;
  }
}

/** A local receiver; `answer` decides what it does with each call. */
async function aReceiver() {
  const received: Received[] = [];
  const receiver = {
    received,
    types: () => received.map(({ event }) => event.type),
    url: "",
    answer: (response: ServerResponse, _call: Received): void => void response.writeHead(204).end(),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const call = { headers: request.headers, text, event: JSON.parse(text) as Received["event"] };
      received.push(call);
      receiver.answer(response, call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
  return receiver;
}

/** A company with an endpoint for these events, a contact and its ticket. */
async function aSubscriber(events: readonly (typeof webhookEventTypes)[number][]) {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  await aConnection(company);
  const receiver = await aReceiver();
  const made = await admin.call(webhooks.create, { body: { url: receiver.url, events: [...events] } });
  expect(made.status).toBe(200);
  const params = { id: made.body.id };
  const contact = await admin.call(contacts.create, { body: { name: "Ana", number: "5511988887777" } });
  const ticket = await admin.call(tickets.create, { body: { contactId: contact.body.id, status: "open" } });
  const write = async (body: string) =>
    (await admin.call(messages.send, { params: { ticketId: ticket.body.id }, body: { body } })).body[0]!;
  const deliveries = async () => (await admin.call(webhooks.deliveries, { params })).body.deliveries;
  return {
    company,
    admin,
    receiver,
    made: made.body,
    params,
    contact: contact.body,
    ticket: ticket.body,
    write,
    deliveries,
  };
}

test("each noun's events come signed by Standard Webhooks, in order, as the contract describes them (V-06)", async () => {
  const { admin, receiver, made, contact, write, deliveries } = await aSubscriber(webhookEventTypes);
  const sent = [await write("um"), await write("dois"), await write("três")];
  await admin.call(contacts.update, { params: { id: contact.id }, body: { name: "Ana Lima" } });
  await settle();

  const { received } = receiver;
  expect(new Set(receiver.types())).toEqual(
    new Set(
      ["contact.created", "ticket.created", "message.created", "contact.updated", "ticket.updated"].filter(
        (type) => type !== "ticket.updated" || receiver.types().includes("ticket.updated"),
      ),
    ),
  );
  const written = received.filter(({ event }) => event.type === "message.created");
  expect(written.map(({ event }) => event.data["messageId"])).toEqual(sent.map(({ id }) => id));
  for (const { headers, text, event } of received) {
    const shape = webhookEvents[event.type].data.strict().safeParse(event.data);
    expect([event.type, shape.error?.message]).toEqual([event.type, undefined]);
    const key = Buffer.from(made.secret.slice("whsec_".length), "base64");
    const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${text}`;
    const signature = createHmac("sha256", key).update(signed).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
    expect(Number(headers["webhook-timestamp"])).toBe(Math.floor(clock.now().getTime() / 1_000));
  }
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(received.length);
  expect((await deliveries()).every(({ state, status }) => state === "delivered" && status === 204)).toBe(true);
  // the secret is encrypted, and shown no more
  const { rows } = await sql`select * from webhooks where id = ${made.id}`.execute(app.db.system);
  expect(JSON.stringify(rows) + (await admin.call(webhooks.list)).text).not.toContain(made.secret.slice(10));
});

test("the signature is that of the specification's example (V-06)", () => {
  const body = '{"event_type":"ping","data":{"success":true}}';
  const at = new Date(1_731_705_121_000);
  expect(webhookHeaders({ id: "msg_loFOjxBNrRLzqYUf", at, body }, "whsec_plJ3nmyCDGBKInavdOK15jsl")).toEqual({
    "webhook-id": "msg_loFOjxBNrRLzqYUf",
    "webhook-timestamp": "1731705121",
    "webhook-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
  });
});

test("a receiver that fails gets it again under the same id, and later events of the ticket wait behind it (V-06)", async () => {
  const { receiver, write, deliveries, admin, contact } = await aSubscriber(["message.created", "contact.updated"]);
  const faults: ((response: ServerResponse) => void)[] = [
    (response) => void response.writeHead(500).end("oops"),
    (response) => void response.writeHead(429, { "retry-after": "1000" }).end(),
    (response) => void response.destroy(),
    // slow: it never answers
    () => undefined,
    (response) => void response.socket?.end("this is not HTTP\r\n\r\n"),
  ];
  receiver.answer = (response, { event }) =>
    event.type === "message.created"
      ? (faults.shift() ?? ((fine: ServerResponse) => fine.writeHead(200).end("ok")))(response)
      : void response.end();
  await write("primeira");
  await write("segunda");
  await admin.call(contacts.update, { params: { id: contact.id }, body: { name: "Ana L." } });
  await settle();
  // what concerns the contact alone does not wait
  expect(receiver.types()).toContain("contact.updated");
  expect(receiver.types().filter((type) => type === "message.created")).toHaveLength(1);
  expect((await deliveries()).find(({ attempts }) => attempts === 1)).toBeDefined();

  clock.advance({ seconds: 6 });
  await settle();
  const limited = (await deliveries()).find(({ status }) => status === 429);
  expect(new Date(limited!.nextAttemptAt!).getTime() - clock.now().getTime()).toBe(1_000_000);
  for (const step of [{ seconds: 1_001 }, { hours: 1 }, { hours: 3 }, { hours: 6 }]) {
    clock.advance(step);
    await settle();
  }
  const ids = receiver.received.flatMap(({ event, headers }) =>
    event.type === "message.created" ? [headers["webhook-id"]] : [],
  );
  expect(ids).toHaveLength(7);
  expect(new Set(ids.slice(0, 6)).size).toBe(1);
  expect(ids[6]).not.toBe(ids[0]);
  const all = await deliveries();
  expect(all.map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
  expect(all.find(({ attempts }) => attempts === 6)).toMatchObject({ status: 200, answer: "ok", error: null });
});

test("while a receiver hangs, what else is due looks for its turn ever more seldom, and comes when it answers (V-06)", async () => {
  const { company, receiver, params } = await aSubscriber(["contact.deleted"]);
  let isHanging = true;
  const held: ServerResponse[] = [];
  receiver.answer = (response) => void (isHanging ? held.push(response) : response.end());
  const event = { endpointId: params.id, type: "contact.deleted", body: "{}" };
  const rows = await company.inside((ctx) =>
    insertDeliveries(
      ctx,
      Array.from({ length: 62 }, (_, index) => ({ ...event, webhookId: randomUUID(), subject: `contact:${index}` })),
    ),
  );
  const handler = deliverWebhook(app.services, 60_000);
  const job: Job = {
    ...{ id: 1, companyId: company.id, task: "webhooks.deliver", payload: {}, lane: null, affinity: null, key: null },
    ...{ priority: "notice", attempt: 1, maxAttempts: 100, leasedBy: "test" },
  };
  const { db, services } = app;
  const deps = { db, clock, log: services.log, signal: AbortSignal.timeout(30_000), inCompany: company.inside };
  const look = (id: number) =>
    handler({ ...job, payload: { deliveryId: id } }, deps).then(
      () => undefined,
      (error: unknown) => (error instanceof RetryLater ? error.afterMs : Promise.reject(error as Error)),
    );
  const [first, second, ...waiting] = rows.map(({ id }) => id);
  const hanging = [look(first!), look(second!)];
  await expect.poll(() => held.length).toBe(2);
  // 30 seconds of the others' looks, by a clock of our own
  let looks = 0;
  const dueAt = new Map(waiting.map((id) => [id, 0]));
  for (let ms = 0; ms <= 30_000; ms += 100) {
    for (const [id] of [...dueAt].filter(([, at]) => at <= ms)) {
      looks += 1;
      dueAt.set(id, ms + (await look(id))!);
    }
  }
  expect(looks).toBeLessThan(5 * waiting.length);
  expect(receiver.received).toHaveLength(2);

  isHanging = false;
  held.forEach((response) => response.end());
  expect(await Promise.all(hanging)).toEqual([undefined, undefined]);
  expect(await look(waiting[0]!)).toBeUndefined();
  expect(receiver.received).toHaveLength(3);
});

test("while an endpoint hangs, the company's others get their events at once, in the order of each ticket (V-06)", async () => {
  const { admin, receiver, write } = await aSubscriber(["message.created", "contact.created"]);
  await settle();
  const held: ServerResponse[] = [];
  receiver.answer = (response) => void held.push(response);
  const fast = await aReceiver();
  await admin.call(webhooks.create, { body: { url: fast.url, events: ["message.created", "contact.created"] } });
  const before = receiver.received.length;
  const patient = await createTestApp({
    ...options,
    features: featuresWith(60_000),
    sameDatabaseAs: app,
    closeAfterTest: true,
  });
  for (let index = 0; index < 30; index += 1) {
    await admin.call(contacts.create, { body: { name: `Rui ${index}`, number: `55119555500${index + 10}` } });
  }
  const sent: number[] = [];
  for (const body of ["um", "dois", "três", "quatro", "cinco"]) {
    sent.push((await write(body)).id);
  }
  await enqueueForgotten(app.db);
  let isHanging = true;
  const drained = patient.product.jobs!.drain().then(() => void (isHanging = false));
  await expect.poll(() => fast.received.length, { timeout: 15_000 }).toBe(35);
  expect([isHanging, receiver.received.length - before]).toEqual([true, 2]);
  const told = fast.received.filter(({ event }) => event.type === "message.created");
  expect(told.map(({ event }) => event.data["messageId"])).toEqual(sent);

  receiver.answer = (response) => void response.end();
  held.forEach((response) => response.end());
  await drained;
  for (let look = 0; look < 3; look += 1) {
    clock.advance({ seconds: 11 });
    await settle();
  }
  expect(receiver.received.length - before).toBe(35);
});

test("a delivery that waits hours for its next attempt is sent at once when an admin asks, and then no second time (V-06)", async () => {
  const { admin, receiver, write, params, deliveries } = await aSubscriber(["message.created"]);
  receiver.answer = (response) => void response.writeHead(503).end();
  await write("depois");
  await settle();
  clock.advance({ hours: 1 });
  await settle();
  const [waiting] = await deliveries();
  expect(waiting).toMatchObject({ state: "waiting" });
  receiver.answer = (response) => void response.end();
  const before = receiver.received.length;
  await admin.call(webhooks.replay, { params: { ...params, deliveryId: waiting!.id } });
  await settle();
  expect((await deliveries())[0]).toMatchObject({ state: "delivered" });
  clock.advance({ hours: 25 });
  await settle();
  expect(receiver.received).toHaveLength(before + 1);
});

test("after three days of failure it is switched off, the admins are told, and a replay brings what is missing (V-06)", async () => {
  const { company, admin, receiver, write, params, deliveries } = await aSubscriber(["message.created"]);
  receiver.answer = (response) => void response.writeHead(503).end();
  await admin.call(invitations.create, { body: { email: "convidada@example.com", profile: "admin" } });
  await write("perdida");
  await settle();
  for (let step = 0; step < 4; step += 1) {
    clock.advance({ hours: 25 });
    await settle();
  }
  const off = (await admin.call(webhooks.get, { params })).body;
  expect(off).toMatchObject({ isActive: false, switchedOff: "failing" });
  const folder = join(app.services.config.dataDir, "outbox");
  const mails = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
  const told = mails.map((text) => text.replaceAll("=\n", "").replaceAll("=\r\n", ""));
  expect(told.some((text) => text.includes(`To: ${company.admin.email}`) && text.includes(receiver.url))).toBe(true);
  // Nobody has confirmed this address.
  expect(told.some((text) => text.includes("To: convidada@example.com") && text.includes(receiver.url))).toBe(false);
  const before = receiver.received.length;
  await write("enquanto desligado");
  await settle();
  expect(receiver.received).toHaveLength(before);

  receiver.answer = (response) => void response.end();
  await admin.call(webhooks.update, {
    params,
    body: { url: receiver.url, events: ["message.created"], isActive: true },
  });
  const [lost] = await deliveries();
  const replayed = await admin.call(webhooks.replay, { params: { ...params, deliveryId: lost!.id } });
  expect(replayed.body).toMatchObject({ state: "waiting", attempts: 0, webhookId: lost!.webhookId });
  await settle();
  expect(receiver.received.at(-1)?.headers["webhook-id"]).toBe(lost!.webhookId);
  expect((await deliveries())[0]).toMatchObject({ state: "delivered" });
});

test("a file's address that expired before a late attempt opens with an API key that may read messages, and with no other (V-06)", async () => {
  const { company, admin, receiver, ticket } = await aSubscriber(["message.created"]);
  receiver.answer = (response) => void response.writeHead(503).end();
  const form = new FormData();
  form.append("medias", new File(["preço;10"], "tabela.csv"));
  expect((await admin.post(`/messages/${ticket.id}`, form)).status).toBe(200);
  await settle();
  clock.advance({ hours: 50 });
  receiver.answer = (response) => void response.end();
  await settle();
  const { mediaUrl } = receiver.received.at(-1)!.event.data["message"] as { readonly mediaUrl: string };

  const keyOf = async (of: TestCompany, scope: ApiScope) =>
    (await app.as(of.admin).call(apiKeys.create, { body: { name: "Loja", scopes: [scope] } })).body.key;
  const open = (key?: string) =>
    app.as(undefined).get(mediaUrl, key === undefined ? {} : { authorization: `Bearer ${key}` });
  expect(await open(await keyOf(company, "messages:read"))).toMatchObject({ status: 200, text: "preço;10" });
  expect(await open(await keyOf(company, "contacts:read"))).toMatchObject({
    status: 403,
    body: { error: "ERR_NO_PERMISSION" },
  });
  expect((await open(await keyOf(await aCompany(app), "messages:read"))).status).toBe(404);
  expect((await open("prosa_guessed")).status).toBe(401);
  expect((await open()).status).toBe(401);
});

test("an event is delivered though its process dies before it is told, or amid the call: at least once, by the same id (V-06)", async () => {
  const { receiver, write, company } = await aSubscriber(["message.created"]);
  await settle();
  await write("commit e morte");
  // The process is gone after the commit: nobody follows the log, and only the next minute's cron of another one is left.
  const other = await createTestApp({ ...options, sameDatabaseAs: app, closeAfterTest: true });
  clock.advance({ minutes: 2 });
  await other.product.jobs?.drain();
  await other.product.jobs?.drain();
  expect(receiver.types()).toEqual(["message.created"]);

  // It dies between the answer and its row: what it did is rolled back, and its lease runs out.
  await sql`update webhook_deliveries set state = 'waiting', attempts = 0 where company_id = ${company.id}`.execute(
    app.db.system,
  );
  const { rows } = await sql<{ id: number }>`
    select id from webhook_deliveries where company_id = ${company.id}`.execute(app.db.system);
  await company.inside(async (ctx) =>
    ctx.enqueue({ task: "webhooks.deliver", payload: { deliveryId: rows[0]!.id }, lane: "again" }),
  );
  await other.product.jobs?.drain();
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test("a change names what it changes: another text neither switches an endpoint on again nor takes its events (V-06)", async () => {
  const { admin, params, receiver } = await aSubscriber(["message.created", "ticket.updated"]);
  await admin.call(webhooks.update, { params, body: { isActive: false } });
  const { body } = await admin.call(webhooks.update, { params, body: { description: "Loja" } });
  const kept = { url: receiver.url, events: ["message.created", "ticket.updated"], isActive: false };
  expect(body).toMatchObject({ ...kept, description: "Loja" });
  expect((await admin.call(webhooks.update, { params, body: {} })).body).toMatchObject({
    ...kept,
    description: "Loja",
  });
});

test("410 switches an endpoint off at once, a test is shown as it went, and private addresses need the operator's word (V-06)", async () => {
  const { admin, receiver, write, params, deliveries } = await aSubscriber(["message.created"]);
  receiver.answer = (response, { event }) =>
    void response.writeHead(event.type === "webhook.test" ? 200 : 410).end("bye");
  const tested = await admin.call(webhooks.test, { params });
  expect(tested.body).toMatchObject({ type: "webhook.test", state: "waiting" });
  await settle();
  expect((await deliveries()).find(({ id }) => id === tested.body.id)).toMatchObject({
    state: "delivered",
    status: 200,
    answer: "bye",
  });
  await write("adeus");
  await settle();
  expect((await admin.call(webhooks.get, { params })).body).toMatchObject({ isActive: false, switchedOff: "gone" });

  const guarded = await createTestApp({ sameDatabaseAs: app, closeAfterTest: true });
  const { admin: theirs } = await aCompany(guarded);
  const refused = await guarded.as(theirs).call(webhooks.create, {
    body: { url: receiver.url, events: ["message.created"] },
  });
  expect([refused.status, refused.body as unknown]).toMatchObject([
    400,
    { details: { fields: { url: expect.any(String) } } },
  ]);
});

test("nobody is told while the company is overdue or its plan has lost the API, then or later; saved tokens are counted (V-06, W-02)", async () => {
  const { company, admin, receiver } = await aSubscriber(["contact.created"]);
  await settle();
  const before = receiver.received.length;
  const operator = app.as((await aCompany(app, { isOperator: true })).admin);
  const params = { id: company.id };
  const { planId } = (await operator.call(companies.get, { params })).body;
  const poor = await aCompany(app, { withoutFlags: ["useExternalApi"] });
  const poorPlan = (await operator.call(companies.get, { params: { id: poor.id } })).body.planId;
  await operator.call(companies.update, { params, body: { dueDate: "2020-01-01" } });
  await aContact(company, { number: "5511977770001" });
  await settle();
  await operator.call(companies.update, { params, body: { dueDate: null, planId: poorPlan! } });
  await settle();
  await aContact(company, { number: "5511977770002" });
  await settle();
  await operator.call(companies.update, { params, body: { planId: planId! } });
  await settle();
  expect(receiver.received.length).toBe(before);
  const told = await aContact(company, { number: "5511977770003" });
  await settle();
  expect(receiver.received.slice(before).map(({ event }) => (event.data as { contactId?: number }).contactId)).toEqual([
    told.id,
  ]);

  // whether a token is somebody's is not tried out for long
  const theirs = await aCompany(app);
  await aConnection(theirs, { token: "token-of-the-neighbour" });
  const tryToken = async (token: string) => (await admin.post("/whatsapp", { name: "Outra", token })).status;
  expect(await tryToken("token-of-the-neighbour")).toBe(400);
  const tries = [];
  for (let n = 0; n < 20; n += 1) {
    tries.push(await tryToken("token-of-the-neighbour"));
  }
  expect(tries.at(-1)).toBe(429);
});
