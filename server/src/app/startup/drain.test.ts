import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readConfig } from "#server/platform/config/index.ts";
import { openDatabase } from "#server/platform/db/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { testSecret } from "#server/testing/app.ts";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";
import { startKeepAliveProxy } from "#server/testing/keep-alive-proxy.ts";
import { connectSocket } from "#server/testing/socket.ts";
import { compose } from "../compose.ts";
import { startProduct } from "./lifecycle.ts";
import type { RunningProduct } from "./lifecycle.ts";
import { createServices } from "../services.ts";

const ana = { userId: 1, companyId: 1, sessionId: "ana" };

let database: TestDatabase;
let dataDir: string;
/** How often each order was taken, over all processes. */
const orders = new Map<string, number>();

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "prosa-drain-"));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const shop: Feature = {
  ...exampleFeature(new Map([["ana", exampleSession(ana)]])),
  routes({ fastify, services }) {
    fastify.get("/orders", async () => ({ count: orders.size }));
    fastify.post("/orders/:id", async ({ params }) => {
      const { id } = params as { id: string };
      await sleep(5);
      // Needs the database, as every real request does.
      await services.db.systemTx(async ({ emit }) => emit(1, { type: "order.taken", payload: { id } }));
      orders.set(id, (orders.get(id) ?? 0) + 1);
      return { id };
    });
  },
};

interface Process extends RunningProduct {
  readonly port: number;
  readonly token: string;
}

async function aProcess(env: Record<string, string> = {}): Promise<Process> {
  const config = readConfig({
    NODE_ENV: "test",
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: testSecret,
    PORT: "0",
    HOST: "127.0.0.1",
    DRAIN_SECONDS: "1",
    ...env,
  });
  const db = openDatabase({ url: database.url, log: testLog, max: 4, systemMax: 3 });
  const services = await createServices({ config, log: testLog, db }, [shop]);
  const running = await startProduct(await compose(services, [shop]));
  let ended: Promise<void> | undefined;
  const stop = () => (ended ??= running.stop().then(() => db.close()));
  onTestFinished(stop);
  return { ...running, stop, port: Number(new URL(running.url).port), token: await services.tokens.issue(ana) };
}

interface Answer {
  readonly status: number | string;
  readonly connection: string | undefined;
  /** Asked on a connection that had brought an answer before. */
  readonly isReused: boolean;
}

function ask(url: string, method: "GET" | "POST", agent: Agent): Promise<Answer> {
  return new Promise((resolve) => {
    const ends = (status: number | string, connection?: string) =>
      resolve({ status, connection, isReused: asked.reusedSocket });
    const asked = request(url, { method, agent }, (answer) => {
      answer.resume();
      answer.on("end", () => ends(answer.statusCode ?? 0, answer.headers.connection));
      answer.on("error", ({ message }) => ends(message));
    });
    asked.on("error", ({ message }) => ends(message));
    asked.end();
  });
}

/** People who order without a pause, each over a connection of their own, until they are told to stop. */
function customers(count: number, url: string) {
  const refused: Answer[] = [];
  const taken = new Set<string>();
  let isOver = false;
  const all = Array.from({ length: count }, async (_, who) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; !isOver; turn += 1) {
      const id = `${who}-${turn}-${url.slice(-5)}`;
      const answer = await ask(
        turn % 3 === 0 ? `${url}/orders` : `${url}/orders/${id}`,
        turn % 3 === 0 ? "GET" : "POST",
        agent,
      );
      if (answer.status !== 200) {
        refused.push(answer);
      } else if (turn % 3 !== 0) {
        taken.add(id);
      }
    }
    agent.destroy();
  });
  return {
    taken,
    async leave() {
      isOver = true;
      await Promise.all(all);
      return refused;
    },
  };
}

test("a rolling restart of two processes behind a proxy without health checks loses no request", async () => {
  orders.clear();
  let [first, second] = [await aProcess(), await aProcess()];
  const proxy = await startKeepAliveProxy([first.port, second.port], { failTimeoutMs: 800 });
  onTestFinished(() => proxy.close());
  const people = customers(6, proxy.url);
  await expect.poll(() => people.taken.size).toBeGreaterThan(20);

  await first.stop();
  first = await aProcess({ PORT: String(first.port) });
  await second.stop();
  second = await aProcess({ PORT: String(second.port) });
  const before = people.taken.size;
  await expect.poll(() => people.taken.size).toBeGreaterThan(before + 20);

  expect(await people.leave()).toEqual([]);
  expect([...orders.values()].filter((times) => times !== 1)).toEqual([]);
  expect(orders.size).toBe(people.taken.size);
});

test("a stopping process is unready at once, closes each connection with a response, and exits in time", async () => {
  const neighbour = await aProcess();
  const leaving = await aProcess();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await ask(`${leaving.url}/orders`, "GET", agent)).toMatchObject({ status: 200, connection: "keep-alive" });

  const stopped = leaving.stop();
  expect(await ask(`${leaving.url}/ready`, "GET", agent)).toMatchObject({ status: 503, connection: "close" });
  // A proxy that has not noticed yet is served.
  expect(await ask(`${leaving.url}/orders/late`, "POST", agent)).toMatchObject({ status: 200, connection: "close" });
  expect((await ask(`${neighbour.url}/ready`, "GET", agent)).status).toBe(200);
  await stopped;
  expect((await ask(`${leaving.url}/health`, "GET", agent)).status).toContain("ECONNREFUSED");
});

test("sockets are disconnected once the port is closed", async () => {
  await aProcess();
  const leaving = await aProcess();
  const socket = connectSocket(leaving.url, leaving.token, {});
  await socket.ready;
  const gone = new Promise<string>((resolve) => socket.io.once("disconnect", resolve));
  const stopped = leaving.stop();
  expect(await gone).toBe("io server disconnect");
  expect((await ask(`${leaving.url}/health`, "GET", new Agent())).status).toContain("ECONNREFUSED");
  await stopped;
});

test("a process without peers does not wait for proxies, nor for a busy connection", async () => {
  const only = await aProcess({ DRAIN_SECONDS: "12" });
  const people = customers(3, only.url);
  await expect.poll(() => people.taken.size).toBeGreaterThan(5);
  const steps: string[] = [];
  await Promise.race([only.stop().then(() => steps.push("stopped")), sleep(8_000)]);
  expect(steps).toEqual(["stopped"]);
  const refused = await people.leave();
  // Nothing but a port that is closed: no 500, and no connection cut off that was in use.
  expect(refused.filter(({ status, isReused }) => typeof status === "number" || isReused)).toEqual([]);
});

test("localhost is one address: no second server listens without draining and limits", async () => {
  const { port } = await aProcess({ HOST: "localhost" });
  const agent = new Agent();
  expect((await ask(`http://127.0.0.1:${port}/orders`, "GET", agent)).status).toBe(200);
  expect((await ask(`http://[::1]:${port}/orders`, "GET", agent)).status).not.toBe(200);
});
