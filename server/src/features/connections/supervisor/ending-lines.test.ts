import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { WaSim } from "@prosa/wa-sim";
import type { Phone } from "@prosa/wa-sim";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { listConnections } from "../connections.service.ts";
import { linesOf } from "../lines.ts";
import { confirmNumber, renewConnection, startConnection, stopConnection } from "../session/session.service.ts";
import { removeConnection } from "../settings/remove-connection.ts";

/** How lines end: deleted, locked, or linked twice. */
const OWNER = "5511990000001";

let sim: WaSim;
let app: TestApp;
let phone: Phone;
let companyId: number;
let received: { readonly connectionId: number; readonly event: LineEvent }[];

beforeEach(async () => {
  sim = await WaSim.start();
  phone = sim.phone(OWNER, { name: "Loja" });
  received = [];
  app = await createTestApp({ env: { WHATSAPP_WS_URL: sim.wsUrl, SIMULATOR: "off" } });
  companyId = await aCompanyCalled("Padaria");
  linesOf(app.services).setIngest(async (_ctx, connectionId, events) => {
    received.push(...events.map((event) => ({ connectionId, event })));
  });
  await linesOf(app.services).part.start();
});

afterEach(async () => {
  linesOf(app.services).supervisor.crash();
  await app.close();
  await sim.stop();
});

async function aCompanyCalled(name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into companies (name) values (${name}) returning id`.execute(
    app.db.system,
  );
  return rows[0]!.id;
}

async function aConnection(name: string, company = companyId): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into connections (company_id, name) values (${company}, ${name}) returning id`.execute(app.db.system);
  await linesOf(app.services).supervisor.reconcile();
  return rows[0]!.id;
}

const inCompany = <T>(work: (ctx: Ctx) => Promise<T>) => app.database.inCompany(companyId, work);
const supervisor = () => linesOf(app.services).supervisor;
const find = (id: number) => linesOf(app.services).find(id);

async function row(id: number) {
  const { rows } = await sql<{
    status: string;
    reason: string | null;
    qrcode: string;
    number: string | null;
    owner: string | null;
  }>`select c.status, c.reason, c.qrcode, c.number, l.owner
     from connections c left join line_leases l on l.connection_id = c.id where c.id = ${id}`.execute(app.db.system);
  return rows[0]!;
}

async function untilRow(id: number, isSo: (found: Awaited<ReturnType<typeof row>>) => boolean) {
  await expect.poll(async () => isSo(await row(id)), { interval: 50, timeout: 20_000 }).toBe(true);
  return row(id);
}

async function scanned(id: number): Promise<void> {
  const { qrcode } = await untilRow(id, (found) => found.qrcode !== "");
  await phone.scan(qrcode);
}

async function aConnectedLine(name = "Loja"): Promise<number> {
  const id = await aConnection(name);
  await scanned(id);
  await untilRow(id, ({ status }) => status === "CONNECTED");
  return id;
}

const shown = async (id: number) => (await inCompany(listConnections)).find((each) => each.id === id);
const remove = (ctx: Ctx, id: number) => removeConnection(ctx, id, async () => undefined);

test("a deleted connection leaves no line behind, and no device on the phone (W-01, W-04)", async () => {
  const id = await aConnectedLine();
  await inCompany((ctx) => remove(ctx, id));
  await supervisor().reconcile();
  expect(find(id)).toBeUndefined();
  await untilRow(id, ({ owner }) => owner === null);
  expect(phone.devices()).toEqual([]);
});

test("a connection that is deleted while its line stores a message is unlinked on the phone (W-04)", async () => {
  const id = await aConnectedLine();
  const waiting = async () => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(app.db.system);
    return rows.length;
  };
  linesOf(app.services).setIngest(async (ctx) => {
    // As the product does, which reads the settings of the line.
    await ctx.db.selectFrom("connections").select("id").where("id", "=", id).executeTakeFirstOrThrow();
  });
  await inCompany(async (ctx) => {
    await remove(ctx, id);
    await sim.person("5511988880001").sends(OWNER, "ainda dá tempo?");
    await expect.poll(waiting, { interval: 20, timeout: 4_000 }).toBeGreaterThan(0);
  });

  await supervisor().reconcile();
  await untilRow(id, ({ owner }) => owner === null);
  expect(phone.devices()).toEqual([]);
});

test("while the lease of a line is locked, the other lines of the process keep theirs (W-05)", async () => {
  const id = await aConnectedLine();
  const locked = await aConnection("Filial", await aCompanyCalled("Oficina"));
  await untilRow(locked, ({ owner }) => owner !== null);
  const line = find(id);
  const secondsLeft = async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from leased_until - clock_timestamp())::float as seconds
      from line_leases where connection_id = ${id}`.execute(app.db.system);
    return rows[0]?.seconds ?? 0;
  };

  await app.db.systemTx(async (tx) => {
    await sql`select from line_leases where connection_id = ${locked} for update`.execute(tx.db);
    // For longer than a process keeps a lease that it cannot renew.
    for (let second = 0; second < 9; second += 1) {
      await sleep(1_000);
      await sql`select 1`.execute(tx.db);
      expect(await secondsLeft()).toBeGreaterThan(4);
    }
  });
  expect(line).toBeDefined();
  expect(find(id)).toBe(line);
  expect((await row(id)).status).toBe("CONNECTED");
});

test("a line that is stopped while it reconnects is unlinked on the phone (W-04)", async () => {
  const id = await aConnectedLine();
  sim.refuseConnections = true;
  phone.kick("drop");
  await untilRow(id, ({ status }) => status === "OPENING");
  sim.refuseConnections = false;
  await inCompany((ctx) => stopConnection(ctx, id));
  await supervisor().reconcile();
  await untilRow(id, ({ owner }) => owner === null);
  expect(phone.devices()).toEqual([]);
});

describe("a number that another line of the company has (W-03)", () => {
  test("is unlinked again, and each message of a customer is stored once", async () => {
    await aConnectedLine("Loja");
    const second = await aConnection("Filial");
    await scanned(second);
    expect(await untilRow(second, ({ status }) => status === "DISCONNECTED")).toMatchObject({
      reason: "sameNumber",
      number: null,
    });
    expect(phone.devices()).toHaveLength(1);

    await sim.person("5511988880001").sends(OWNER, "bom dia");
    await sim.settled(OWNER);
    expect(received.filter(({ event }) => event.type === "message")).toHaveLength(1);
  });

  test("is connected once the other line is disconnected, and by a line that had it before as well", async () => {
    const first = await aConnectedLine("Loja");
    await inCompany((ctx) => stopConnection(ctx, first));
    await supervisor().reconcile();
    await untilRow(first, ({ owner }) => owner === null);
    const second = await aConnectedLine("Filial");

    await inCompany((ctx) => startConnection(ctx, first));
    await supervisor().reconcile();
    await scanned(first);
    await untilRow(first, ({ reason }) => reason === "sameNumber");

    await inCompany((ctx) => stopConnection(ctx, second));
    await inCompany((ctx) => startConnection(ctx, first));
    await supervisor().reconcile();
    await scanned(first);
    await untilRow(first, ({ status }) => status === "CONNECTED");
  });

  test.each([
    ["was replaced", "replaced"],
    ["is cut off", "network"],
  ])("is that line's while it %s: two would come back with it (W-05)", async (_case, how) => {
    const first = await aConnectedLine("Loja");
    if (how === "replaced") {
      phone.kick("replaced");
      await untilRow(first, ({ reason }) => reason === "replaced");
    } else {
      // As after a night without a network.
      find(first)?.drop();
      await sql`update connections set status = 'TIMEOUT', reason = 'network' where id = ${first}`.execute(
        app.db.system,
      );
    }
    const second = await aConnection("Filial");
    await scanned(second);
    await untilRow(second, ({ reason }) => reason === "sameNumber");
    expect(phone.devices()).toHaveLength(1);
    // It says which line to look after, and asks for no decision.
    expect(await shown(second)).toMatchObject({ numberHolder: "Loja", pendingNumber: null });
    await expect(inCompany((ctx) => confirmNumber(ctx, second, true))).rejects.toThrow("ERR_WAPP_NOT_INITIALIZED");

    await inCompany((ctx) => (how === "replaced" ? renewConnection(ctx, first) : remove(ctx, first)));
    await inCompany((ctx) => renewConnection(ctx, second));
    await supervisor().reconcile();
    await scanned(second);
    await untilRow(second, ({ status }) => status === "CONNECTED");
  });

  test("is the line's that keeps the credentials for it, not an older one's that was logged out; then nobody's (W-05)", async () => {
    const former = await aConnectedLine("Loja");
    phone.unlink();
    await untilRow(former, ({ reason, owner }) => reason === "loggedOut" && owner === null);
    const holder = await aConnectedLine("Filial");
    phone.kick("replaced");
    await untilRow(holder, ({ reason }) => reason === "replaced");
    const refused = await aConnection("Nova");
    await scanned(refused);
    await untilRow(refused, ({ reason }) => reason === "sameNumber");
    expect(await shown(refused)).toMatchObject({ numberHolder: "Filial" });

    await inCompany((ctx) => stopConnection(ctx, holder));
    expect(await shown(refused)).toMatchObject({ reason: "sameNumber", numberHolder: null });
    await inCompany((ctx) => renewConnection(ctx, refused));
    await supervisor().reconcile();
    await scanned(refused);
    await untilRow(refused, ({ status }) => status === "CONNECTED");
  });

  test("is nobody's business in another company", async () => {
    await aConnectedLine("Loja");
    const other = await aConnection("Oficina", await aCompanyCalled("Oficina"));
    await scanned(other);
    await untilRow(other, ({ status }) => status === "CONNECTED");
    expect(phone.devices()).toHaveLength(2);
  });
});
