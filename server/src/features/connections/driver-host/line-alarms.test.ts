import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany, aConnection } from "#server/testing/factories.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { createDriverHost } from "./driver-host.ts";
import type { Ingest } from "./driver-host.ts";

const event: LineEvent = { type: "status", waIds: ["A"], status: 1, reason: null };

const tooLong = Object.assign(new Error("index row size exceeds maximum"), { code: "54000" });

async function aHost(failure: Error, ingest: Ingest = () => Promise.reject(failure)) {
  const app = await createTestApp({ closeAfterTest: true });
  const company = await aCompany(app);
  const { id: connectionId } = await aConnection(company);
  await app.db.system
    .insertInto("line_leases")
    .values({ connection_id: connectionId, company_id: company.id, owner: "me", leased_until: new Date("2100-01-01") })
    .execute();
  const host = createDriverHost({
    services: app.services,
    companyId: company.id,
    connectionId,
    round: 0,
    owner: "me",
    ingest,
    onTyping: () => undefined,
    onStateChange: () => undefined,
    onEnded: () => undefined,
    onLeaseLost: () => undefined,
  });
  const readLog = async () => {
    await host.flushed();
    const url = `/whatsapp/${connectionId}/log`;
    return (await app.as(company.admin).get<{ event: string; detail: string }[]>(url)).body;
  };
  return { app, host, readLog };
}

test("alarms of a line are counted for Prometheus, and stand in the line's own log (W-05)", async () => {
  const { app, host, readLog } = await aHost(new TypeError("a mistake"));

  for (let tries = 0; tries < 5; tries += 1) {
    await host.commit([{ kind: "event", event }]).catch(() => undefined);
  }
  host.onAlarm("stuck");
  host.onAlarm("commit", new Error("the store is away"));
  host.onAlarm("commit", new Error("the store is away"));
  expect(await readLog()).toMatchObject([
    { event: "alarm", detail: "a message was stuck between its decryption and its event" },
    { event: "alarm", detail: "a status could not be taken in" },
  ]);

  const text = await app.services.metrics.registry.metrics();
  expect(text.split("\n").filter((row) => row.startsWith("prosa_line_alarms_total"))).toEqual([
    'prosa_line_alarms_total{alarm="poison"} 1',
    'prosa_line_alarms_total{alarm="stuck"} 1',
    'prosa_line_alarms_total{alarm="commit"} 2',
  ]);
});

test("what cannot be stored for long is in the line's log, once for each outage (W-05)", async () => {
  const { host, readLog } = await aHost(new Error("never called"));
  const commits = "what it received cannot be stored";

  for (let tries = 0; tries < 4; tries += 1) {
    host.onAlarm("commit", new Error("the store is away"));
  }
  expect(await readLog()).toEqual([]);
  for (let tries = 0; tries < 10; tries += 1) {
    host.onAlarm("commit", new Error("the store is away"));
  }
  expect(await readLog()).toMatchObject([{ event: "alarm", detail: commits }]);

  await host.commit([]);
  for (let tries = 0; tries < 5; tries += 1) {
    host.onAlarm("commit", new Error("the store is away again"));
  }
  expect(await readLog()).toMatchObject([{ detail: commits }, { detail: commits }]);
});

test("an event that no index takes is quarantined, and does not stop its line for ever (W-08)", async () => {
  const { host, readLog } = await aHost(tooLong);
  for (let tries = 1; tries < 5; tries += 1) {
    await expect(host.commit([{ kind: "event", event }])).rejects.toThrow("index row size");
  }
  await host.commit([{ kind: "event", event }]);
  expect(await readLog()).toMatchObject([{ event: "alarm", detail: "a status could not be taken in" }]);
});

test("where another line was first what a line received is stored by the next try, and nobody is alarmed (W-08)", async () => {
  let tries = 0;
  const { app, host, readLog } = await aHost(new Error("never called"), async (ctx) => {
    tries += 1;
    await ctx.raw({ name: "first_or_second", text: "select try_again_unless($1)" }, [tries > 2]);
  });

  await host.commit([{ kind: "event", event }]);
  expect(tries).toBe(3);
  expect(await readLog()).toEqual([]);
  expect(await app.services.metrics.registry.metrics()).not.toMatch(/^prosa_line_alarms_total/mu);
});
