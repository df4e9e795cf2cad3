import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { createModelService } from "#server/testing/model-service.ts";
import { startServerProcess } from "#server/testing/processes.ts";
import type { ServerProcess } from "#server/testing/processes.ts";
import { makeCompany } from "#server/testing/storm/company.ts";
import { signInWithRetries } from "#server/testing/storm/retrying-api.ts";
import { waitUntil } from "#server/testing/wait-until.ts";

/** kill -9 of the real server while other software sends by its API and is told by webhooks, or a model gives vectors. */
const CONTACTS = 16;
const MESSAGES = 4;
const token = "token-of-the-killed-line";

let folder: string;
let database: TestDatabase;
let server: ServerProcess | undefined;
let receiver: Server;
const received: { readonly id: string; readonly contactId: number; readonly type: string }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prosa-external-kill-"));
  database = await createTestDatabase();
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const event = JSON.parse(Buffer.concat(chunks).toString()) as { type: string; data: { contactId: number } };
      received.push({ id: String(request.headers["webhook-id"]), type: event.type, contactId: event.data.contactId });
      // Long enough that a kill meets some calls between their receipt and their answer.
      setTimeout(() => response.end(), 20);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  await launch();
});

afterAll(async () => {
  await server?.kill();
  receiver.closeAllConnections();
  receiver.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function launch(): Promise<void> {
  server = await startServerProcess({
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: database.url,
    SIMULATOR: "off",
    WEBHOOK_PRIVATE_HOSTS: "on",
    LANGUAGE_MODEL_PRIVATE_HOSTS: "on",
  });
}

/** Sends by the API until it is answered, as other software does that has an idempotency key. */
async function sendByApi(key: string, body: string): Promise<string> {
  for (;;) {
    try {
      const answer = await fetch(`${server?.url}/api/messages/send`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify({ number: "5511988887777", body }),
        signal: AbortSignal.timeout(10_000),
      });
      if (answer.status === 200) {
        return ((await answer.json()) as { messageId: string }).messageId;
      }
      expect([429, 500, 503]).toContain(answer.status);
    } catch {
      // killed: ask again, by the same key
    }
    await sleep(100);
  }
}

test("kill -9 loses and doubles no message of the API, and every committed event reaches its webhook (X-01, V-06)", async () => {
  const company = await makeCompany(database.db, "externalkill");
  const waiting = async () => {
    const { rows } = await database.inCompany(company.companyId, (ctx) =>
      sql<{ count: number }>`select ((select count(*) from webhook_events)
        + (select count(*) from webhook_deliveries where state = 'waiting')
        + (select count(*) from api_messages where state = 'waiting'))::int as count`.execute(ctx.db),
    );
    return rows[0]!.count;
  };
  const api = await signInWithRetries(() => server?.url ?? "", company);
  await api.call("POST", "/whatsapp", { name: "Loja", token });
  const { port } = receiver.address() as AddressInfo;
  const events = ["contact.created", "contact.updated"];
  await api.call("POST", "/webhooks", { url: `http://127.0.0.1:${port}/`, events });

  const work = async () => {
    const contacts = Array.from({ length: CONTACTS }, async (_, n) => {
      await sleep(n * 60);
      const number = `55119${70_000_000 + n}`;
      await api.call("POST", "/contacts", { name: `Cliente ${n}`, number }).catch(() => undefined);
    });
    const sends = Array.from({ length: MESSAGES }, async (_, n) => {
      await sleep(n * 200);
      return sendByApi(`pedido-${n}`, `Pedido ${n}`);
    });
    await Promise.all(contacts);
    return Promise.all(sends);
  };
  const kill = async () => {
    await sleep(200 + randomInt(700));
    await server?.kill();
    await launch();
  };
  const [ids] = await Promise.all([work(), kill()]);
  expect(new Set(ids).size).toBe(MESSAGES);

  await waitUntil(async () => (await waiting()) === 0, 90_000);
  const { rows: bodies } = await database.inCompany(company.companyId, (ctx) =>
    sql<{ body: string }>`select body from messages where from_me order by body`.execute(ctx.db),
  );
  expect(bodies.map(({ body }) => body)).toEqual(Array.from({ length: MESSAGES }, (_, n) => `Pedido ${n}`));

  const { rows: contacts } = await database.inCompany(company.companyId, (ctx) =>
    sql<{ id: number }>`select id from contacts`.execute(ctx.db),
  );
  const told = received.filter(({ type }) => type === "contact.created");
  expect(contacts.filter(({ id }) => !told.some(({ contactId }) => contactId === id))).toEqual([]);
  // Told twice, it is told by the same id: one event of each contact.
  const idsOf = Map.groupBy(told, ({ contactId }) => contactId);
  expect([...idsOf.values()].filter((calls) => new Set(calls.map(({ id }) => id)).size > 1)).toEqual([]);
});

test("kill -9 while a source gets its vectors: each passage has one afterwards, and only those of the interrupted call are asked for again (O-08)", async () => {
  const PASSAGES = 150;
  const service = await createModelService();
  onTestFinished(() => service.close());
  const company = await makeCompany(database.db, "embedkill");
  const api = await signInWithRetries(() => server?.url ?? "", company);
  const { id: queueId } = await api.call<{ id: number }>("POST", "/queue", { name: "Vendas", color: "#112233" });
  const prompt = { name: "Lia", prompt: "Ajude.", queueId, apiKey: "sk-9", baseUrl: service.url };
  await api.call("POST", "/prompt", prompt);
  // amid the third call for passages, after the one that measures the model: the two before are stored, this one is under way
  let isAmid: () => void = () => undefined;
  const amid = new Promise<void>((resolve) => (isAmid = resolve));
  const vectorOf = service.embed;
  service.embed = (text) => {
    if (service.embedded.length === 4) {
      service.embeddingFaults = ["hang"];
      isAmid();
    }
    return vectorOf(text);
  };
  const text = Array.from({ length: PASSAGES }, (_, index) => `# Parte ${index}\nTroca número ${index}.`).join("\n\n");
  const { id } = await api.call<{ id: number }>("POST", "/knowledge", { name: "Manual", text });
  await amid;
  await server?.kill();
  service.embed = vectorOf;
  await launch();

  const source = () => api.call<Record<string, unknown>>("GET", `/knowledge/${id}`);
  await waitUntil(async () => (await source())["embedded"] === PASSAGES, 90_000);
  expect(await source()).toMatchObject({ state: "ready", passages: PASSAGES, embedded: PASSAGES, refused: 0 });
  const count = async () => {
    const { rows } = await database.inCompany(company.companyId, (ctx) =>
      sql<Record<string, number>>`select (select count(*)::int from knowledge_vectors) as vectors,
        (select count(distinct p.digest)::int from knowledge_passages p join knowledge_vectors v on v.digest = p.digest) as found,
        (select count(*)::int from knowledge_spaces) as spaces,
        (select count(*)::int from jobs where task = 'knowledge.embed') as jobs`.execute(ctx.db),
    );
    return rows[0];
  };
  await waitUntil(async () => (await count())?.["jobs"] === 0);
  expect(await count()).toEqual({ vectors: PASSAGES, found: PASSAGES, spaces: 1, jobs: 0 });
  const sent = service.embedded.flatMap(({ input }) => input).filter((input) => input.startsWith("Parte"));
  expect([sent.length, new Set(sent).size]).toEqual([PASSAGES + 32, PASSAGES]);
});
