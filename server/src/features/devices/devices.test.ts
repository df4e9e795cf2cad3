import { createECDH, randomBytes } from "node:crypto";
import { push } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { createVault } from "#server/platform/auth/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { createTestApp } from "#server/testing/app.ts";
import { sharedSessions, openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { subscriptionKeysContext } from "./devices.queries.ts";
import { pushJob, NOTIFY_TASK, notifyDevices } from "./devices.service.ts";
import { createDevicesFeature } from "./feature.ts";
import type { PushRequest } from "./post-push.ts";
import { vapidSubject } from "./vapid.ts";

type ATicket = Awaited<ReturnType<Desk["ticket"]>>;

let desk: Desk;
let posted: PushRequest[];
/** The status with which the push service responds. */
let status: number;
/** The push service does not respond before. */
let responds: Promise<void>;
let quickJobs: number;
const devices = createDevicesFeature(async (request) => {
  posted.push(request);
  await responds;
  return status;
});
const quick: Feature = { name: "quick", tasks: () => ({ "quick.run": async () => void (quickJobs += 1) }) };

beforeAll(async () => {
  desk = await openDesk([tickets, devices, quick]);
});
afterAll(() => desk.app.close());

beforeEach(async () => {
  posted = [];
  status = 201;
  responds = Promise.resolve();
  quickJobs = 0;
  const { system } = desk.app.db;
  await sql`delete from push_subscriptions`.execute(system);
  await sql`delete from jobs`.execute(system);
  // Invalidate the cache of subscriptions.
  await desk.within(async (ctx) => ctx.emit({ type: "device.changed", payload: {} }));
});

/** A subscription as a browser creates it. The keys are real, because the encryption checks them. */
function aSubscription(endpoint = `https://push.example.com/${randomBytes(8).toString("hex")}`) {
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  return { endpoint, keys: { p256dh: ecdh.getPublicKey("base64url"), auth: randomBytes(16).toString("base64url") } };
}

/** Subscribes a device of the person and creates the active session behind it. */
async function withDevice(person: Person, subscription = aSubscription()): Promise<string> {
  expect((await person.call(push.subscribe, { body: subscription })).status).toBe(200);
  await sql`insert into sessions (id, company_id, user_id, refresh_hash, expires_at)
    select session_id, company_id, user_id, md5(session_id::text), now() + interval '1 day' from push_subscriptions
    where endpoint = ${subscription.endpoint} on conflict do nothing`.execute(desk.app.db.system);
  return subscription.endpoint;
}

async function aMessage({ id, contactId }: ATicket, body = "bom dia"): Promise<number> {
  const [row] = await desk.rows<{ id: number }>(`insert into messages
      (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, media_type, sent_at)
    values (${desk.companyId}, ${id}, ${contactId}, ${desk.connectionId}, '${randomBytes(8).toString("hex")}', false, '${body}',
      'chat', now()) returning id`);
  return Number(row!.id);
}

async function notify(messageId: number): Promise<void> {
  await desk.within((ctx) => notifyDevices(ctx, [messageId]));
  await desk.app.settle();
}

/** Runs the check that waits until a closed browser counts as offline. */
async function secondLook(): Promise<void> {
  await sql`update jobs set run_at = now() - interval '1 s' where task = ${NOTIFY_TASK.enqueuedAs}`.execute(
    desk.app.db.system,
  );
  await desk.app.settle();
}

async function addresses(): Promise<string[]> {
  const { rows } = await sql<{ endpoint: string }>`select endpoint from push_subscriptions order by id`.execute(
    desk.app.db.system,
  );
  return rows.map(({ endpoint }) => endpoint);
}

/** An agent of a queue. */
async function agentOf(queueId: number): Promise<Person> {
  const person = await desk.person("user", { queueIds: [queueId] });
  await desk.rows(`insert into user_queues (company_id, user_id, queue_id)
    values (${desk.companyId}, ${person.id}, ${queueId}) returning queue_id`);
  return person;
}

async function anAgent() {
  const queueId = await desk.queue();
  const ana = await agentOf(queueId);
  const ticket = await desk.ticket({ queueId, status: "open", user: ana });
  return { ana, queueId, ticket };
}

describe("who gets a push while the browser is closed (N-01)", () => {
  test("the ticket's user, encrypted for their device and signed with VAPID", async () => {
    const { ana, ticket } = await anAgent();
    const endpoint = await withDevice(ana);

    await notify(await aMessage(ticket, "o pedido chegou quebrado"));

    expect(posted).toHaveLength(1);
    const [{ headers, body, endpoint: to }] = posted as [PushRequest];
    expect(to).toBe(endpoint);
    expect(headers).toMatchObject({ "Content-Encoding": "aes128gcm", Urgency: "high" });
    expect(headers["Authorization"]).toMatch(/^vapid t=.+, k=.+/);
    expect(body?.includes("quebrado")).toBe(false);
  });

  test("nobody for a pending ticket, a colleague's ticket, or one of another queue", async () => {
    const { ana, queueId } = await anAgent();
    const bia = await desk.person("user", { queueIds: [queueId] });
    await withDevice(ana);
    const away = [
      await desk.ticket({ queueId, status: "pending" }),
      await desk.ticket({ queueId, status: "open", user: bia }),
      await desk.ticket({ queueId: await desk.queue(), status: "open", user: ana }),
    ];

    for (const ticket of away) {
      await notify(await aMessage(ticket));
    }
    expect(posted).toEqual([]);
  });

  test("nobody with an open browser; checked again after it may have been closed", async () => {
    const { ana, ticket } = await anAgent();
    await withDevice(ana);
    await sql`insert into user_presence (user_id, company_id, seen_at, is_online)
      values (${ana.id}, ${desk.companyId}, now(), true)`.execute(desk.app.db.system);

    await notify(await aMessage(ticket));
    expect(posted).toEqual([]);

    await sql`update user_presence set is_online = false where user_id = ${ana.id}`.execute(desk.app.db.system);
    await secondLook();
    expect(posted).toHaveLength(1);
  });

  test("who was offline is not notified again when it is checked whether an open browser was closed (N-01)", async () => {
    const queueId = await desk.queue();
    const [ana, bia] = await Promise.all([agentOf(queueId), agentOf(queueId)]);
    const [away, leaving] = [await withDevice(ana), await withDevice(bia)];
    await sql`insert into user_presence (user_id, company_id, seen_at, is_online)
      values (${bia.id}, ${desk.companyId}, now(), true)`.execute(desk.app.db.system);

    // Nobody's, as a resolved conversation can be: it notifies everybody of its queue.
    await notify(await aMessage(await desk.ticket({ queueId, status: "closed" }), "obrigada!"));
    expect(posted.map(({ endpoint }) => endpoint)).toEqual([away]);

    await sql`update user_presence set is_online = false where user_id = ${bia.id}`.execute(desk.app.db.system);
    await secondLook();
    expect(posted.map(({ endpoint }) => endpoint)).toEqual([away, leaving]);
  });

  test("everybody offline by a second check of the release before, which did not say who was online (N-01)", async () => {
    const { ana, ticket } = await anAgent();
    await withDevice(ana);
    const messageId = await aMessage(ticket);
    await desk.within(async (ctx) =>
      ctx.enqueue({ task: NOTIFY_TASK.enqueuedAs, payload: { messageId, isSecondLook: true } }),
    );

    await desk.app.settle();
    expect(posted).toHaveLength(1);
  });

  test("nobody whose session has ended", async () => {
    const { ana, ticket } = await anAgent();
    await withDevice(ana);
    await sql`update sessions set ended_at = now()`.execute(desk.app.db.system);

    await notify(await aMessage(ticket));
    expect(posted).toEqual([]);
  });

  test.each([
    ["is inactive", "is_active = false"],
    ["has not paid", "due_date = current_date - 3"],
  ])("nobody of a company that %s (V-05)", async (_why, closed) => {
    const { ana, ticket } = await anAgent();
    await withDevice(ana);
    await sql`update companies set ${sql.raw(closed)} where id = ${desk.companyId}`.execute(desk.app.db.system);
    try {
      await notify(await aMessage(ticket));
      expect(posted).toEqual([]);
    } finally {
      const open = sql`update companies set is_active = true, due_date = null where id = ${desk.companyId}`;
      await open.execute(desk.app.db.system);
    }
  });

  test("nobody whose session ended while the push waited", async () => {
    const { ana, ticket } = await anAgent();
    await withDevice(ana);
    const [device] = await desk.rows<{ id: number }>("select id from push_subscriptions");
    const messageId = await aMessage(ticket);
    await desk.within(async (ctx) => ctx.enqueue(pushJob(Number(device!.id), messageId)));
    await sql`update sessions set ended_at = now()`.execute(desk.app.db.system);

    await desk.app.settle();
    expect(posted).toEqual([]);
  });

  test("no job is enqueued if nobody has a device", async () => {
    const { ticket } = await anAgent();
    const messageId = await aMessage(ticket);
    await desk.within((ctx) => notifyDevices(ctx, [messageId]));

    const { rows } = await sql`select from jobs where task = ${NOTIFY_TASK.enqueuedAs}`.execute(desk.app.db.system);
    expect(rows).toHaveLength(0);
  });
});

describe("a device", () => {
  test("is deleted after its subscription ended, and kept while the push service is unavailable", async () => {
    const { ana, ticket } = await anAgent();
    const endpoint = await withDevice(ana);

    status = 503;
    await notify(await aMessage(ticket));
    expect(await addresses()).toEqual([endpoint]);

    status = 410;
    await notify(await aMessage(ticket));
    expect(await addresses()).toEqual([]);
  });

  test("whose push service never answers holds up no other job, and ten pushes of its company at most wait for it", async () => {
    const { ana } = await anAgent();
    for (let device = 0; device < 20; device += 1) {
      await withDevice(ana);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    responds = promise;
    expect((await ana.call(push.test)).body).toEqual({ devices: 20 });
    await desk.within(async (ctx) => ctx.enqueue({ task: "quick.run", payload: {}, priority: "interactive" }));
    const settled = desk.app.settle();

    await expect.poll(() => posted.length).toBe(10);
    await expect.poll(() => quickJobs).toBe(1);
    expect(posted).toHaveLength(10);
    resolve();
    await settled;
  });

  test("whose push service is away loses the push after the last attempt, and leaves no dead job", async () => {
    const { ana, ticket } = await anAgent();
    await withDevice(ana);
    status = 503;
    await notify(await aMessage(ticket));
    for (let attempt = 2; attempt <= 3; attempt += 1) {
      await sql`update jobs set run_at = now() - interval '1 s'`.execute(desk.app.db.system);
      await desk.app.settle();
    }
    expect(posted).toHaveLength(3);
    expect((await sql`select task, state from jobs`.execute(desk.app.db.system)).rows).toEqual([]);
  });

  test("is tested five times a minute by its user, and gets the last of the tests that wait", async () => {
    const { ana } = await anAgent();
    await withDevice(ana);
    const answers = [];
    for (let test = 0; test < 6; test += 1) {
      answers.push((await ana.call(push.test)).status);
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
    await desk.app.settle();
    expect(posted).toHaveLength(1);
  });

  test("whose keys are sealed with a secret that was lost is deleted", async () => {
    const { ana, ticket } = await anAgent();
    const endpoint = await withDevice(ana);
    const keys = createVault(["a secret that was lost of 32 and more signs"]).seal(
      "{}",
      subscriptionKeysContext(endpoint),
    );
    await sql`update push_subscriptions set keys = ${keys}`.execute(desk.app.db.system);

    await notify(await aMessage(ticket));
    expect([posted, await addresses()]).toEqual([[], []]);
  });

  test("belongs to the last user of the browser, even of another company", async () => {
    const { ana } = await anAgent();
    const neighbour = await (await desk.otherCompany()).person("admin");
    const endpoint = await withDevice(ana);
    await neighbour.call(push.subscribe, { body: aSubscription(endpoint) });

    const { rows } = await sql<{ user_id: number }>`select user_id from push_subscriptions`.execute(desk.app.db.system);
    expect(rows).toEqual([{ user_id: neighbour.id }]);
  });

  test("is tested and unsubscribed by its owner only", async () => {
    const { ana } = await anAgent();
    const bia = await desk.person("user");
    const endpoint = await withDevice(ana);

    expect((await bia.call(push.test)).body).toEqual({ devices: 0 });
    expect((await ana.call(push.test)).body).toEqual({ devices: 1 });
    await desk.app.settle();
    expect(posted.map((request) => request.endpoint)).toEqual([endpoint]);

    await bia.call(push.unsubscribe, { body: { endpoint } });
    expect(await addresses()).toEqual([endpoint]);
    await ana.call(push.unsubscribe, { body: { endpoint } });
    expect(await addresses()).toEqual([]);
  });
});

describe("the calls", () => {
  test("strangers are refused", async () => {
    const stranger = desk.app.as(undefined);
    const body = aSubscription();
    const answers = [
      await stranger.call(push.key),
      await stranger.call(push.subscribe, { body }),
      await stranger.call(push.unsubscribe, { body: { endpoint: body.endpoint } }),
      await stranger.call(push.test),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401]);
  });

  test("another company's device can be neither tested nor unsubscribed", async () => {
    const { ana } = await anAgent();
    const neighbour = await (await desk.otherCompany()).person("admin");
    const endpoint = await withDevice(ana);

    expect((await neighbour.call(push.test)).body).toEqual({ devices: 0 });
    await neighbour.call(push.unsubscribe, { body: { endpoint } });
    expect(await addresses()).toEqual([endpoint]);
  });

  test.each([
    "http://push.example.com/x",
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://169.254.169.254/latest",
    "ftp://push.example.com/x",
  ])("%s is refused as a push service", async (endpoint) => {
    const { ana } = await anAgent();

    expect((await ana.call(push.subscribe, { body: aSubscription(endpoint) })).status).toBe(400);
    expect(await addresses()).toEqual([]);
  });

  test("all processes share one key, which is stored encrypted", async () => {
    const { ana } = await anAgent();
    const second = await createTestApp({
      features: [sharedSessions(desk), devices],
      sameDatabaseAs: desk.app,
      closeAfterTest: true,
    });
    const { body } = await ana.call(push.key);

    expect(body.publicKey).toMatch(/^[\w-]{87}$/);
    expect((await ana.through(second).call(push.key)).body).toEqual(body);
    const { rows } = await sql<{ private_key: Buffer }>`select private_key from push_keys`.execute(desk.app.db.system);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.private_key.length).toBeGreaterThan(60);
  });
});

test.each([
  ["https://app.example.com", "Prosa <a@b.example>", "https://app.example.com"],
  ["http://localhost:8080", "Prosa <a@b.example>", "mailto:a@b.example"],
  ["http://localhost:8080", "a@b.example", "mailto:a@b.example"],
])("the VAPID subject for %s and %s", (url, from, expected) => {
  expect(vapidSubject(url, from)).toBe(expected);
});
