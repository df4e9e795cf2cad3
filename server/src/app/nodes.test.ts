import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ticket } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Ctx } from "#server/platform/ctx.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { startServerProcess, startSimProcess } from "#server/testing/processes.ts";
import type { ServerProcess, SimProcess } from "#server/testing/processes.ts";
import { connectSocket } from "#server/testing/socket.ts";
import { signInWithRetries } from "#server/testing/storm/retrying-api.ts";
import type { RetryingApi } from "#server/testing/storm/retrying-api.ts";
import { makeCompany } from "#server/testing/storm/company.ts";
import { linkLine } from "#server/testing/storm/link-line.ts";

/** Two processes on one PostgreSQL, as an installation with several machines runs them. */
const LINE = "5511990000002";
const ANA = "5511988880001";

let folder: string;
let database: TestDatabase;
let sim: SimProcess;
let first: ServerProcess | undefined;
let second: ServerProcess | undefined;
/** The process that the agent's browser talks to. */
let near: ServerProcess;
let companyId: number;
let api: RetryingApi;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prosa-nodes-"));
  database = await createTestDatabase();
  sim = await startSimProcess(join(folder, "network"));
  const company = await makeCompany(database.db, "nodes");
  companyId = company.companyId;
  const env = {
    DATABASE_URL: database.url,
    WHATSAPP_WS_URL: sim.wsUrl,
    NODE_EXTRA_CA_CERTS: sim.caFile,
    SIMULATOR: "off",
    SECRET_KEY: "one key for every process of the installation",
  };
  [first, second] = await Promise.all([
    startServerProcess({ ...env, DATA_DIR: join(folder, "data") }),
    startServerProcess({ ...env, DATA_DIR: join(folder, "data") }),
  ]);
  near = second;
  api = await signInWithRetries(() => near.url, company);

  const { id } = await api.call<{ id: number }>("POST", "/whatsapp", { name: "Loja", provider: "beta" });
  await linkLine(sim.client, (query) => inCompany((ctx) => query.execute(ctx.db).then(({ rows }) => rows)), id, LINE);
});

afterAll(async () => {
  await Promise.all([first?.kill(), second?.kill(), sim.kill()]);
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function only<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("it did not start");
  }
  return value;
}

function inCompany<T>(work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return database.inCompany(companyId, work);
}

async function owner(): Promise<string | undefined> {
  const { rows } = await sql<{ owner: string }>`select owner from line_leases`.execute(database.db.system);
  return rows[0]?.owner;
}

async function texts(): Promise<string[]> {
  const { rows } = await inCompany(({ db }) =>
    sql<{ body: string }>`select body from messages order by id`.execute(db),
  );
  return rows.map(({ body }) => body);
}

async function firstTicket(): Promise<Ticket> {
  const { tickets } = await api.call<{ tickets: Ticket[] }>("GET", "/tickets?showAll=true");
  return tickets[0]!;
}

test("an agent on process A sees what process B did, as it happens (T-22)", async () => {
  const ana = await sim.client.person(ANA, { name: "Ana" });
  await ana.sends(LINE, "bom dia");
  await expect.poll(texts).toEqual(["bom dia"]);
  const { id } = await firstTicket();

  const socket = connectSocket(only(first).url, api.token, {
    joins: [
      ["joinTickets", "open"],
      ["joinTickets", "pending"],
    ],
  });
  await socket.ready;
  await api.call("PUT", `/tickets/${id}`, { status: "open" });
  // The list that lost the ticket hears it first (behaviour 2).
  const left = await socket.next(`company-${companyId}-ticket`);
  expect(left.payload).toEqual({ action: "delete", ticketId: id });
  const moved = await socket.next(`company-${companyId}-ticket`);
  expect(moved.payload).toMatchObject({ ticket: { id, status: "open" } });

  await api.call("POST", `/messages/${id}`, { body: "bom dia, Ana" });
  const told = await socket.next(`company-${companyId}-appMessage`);
  expect(told.payload).toMatchObject({ action: "create", message: { body: "bom dia, Ana" } });
  await ana.receives({ text: "bom dia, Ana" }, { timeoutMs: 10_000 });
  socket.close();
});

test("the owner of a line is killed: the other process takes it over, and messages flow (W-05, W-08)", async () => {
  const ana = await sim.client.person(ANA, { name: "Ana" });
  const before = await owner();
  const [dead, living] = before?.includes(`:${only(first).pid}:`) ? [first, second] : [second, first];
  near = only(living);
  await only(dead).kill();
  await ana.sends(LINE, "ainda aí?");

  await expect.poll(texts).toContain("ainda aí?");
  expect(await owner()).not.toBe(before);

  const { id } = await firstTicket();
  await api.call("POST", `/messages/${id}`, { body: "sempre" });
  await ana.receives({ text: "sempre" }, { timeoutMs: 15_000 });
});
