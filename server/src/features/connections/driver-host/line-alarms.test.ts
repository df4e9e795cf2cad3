import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany, aConnection } from "#server/testing/factories.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { createDriverHost } from "./driver-host.ts";

const event: LineEvent = { type: "status", waIds: ["A"], status: 1, reason: null };

test("alarms of a line are counted for Prometheus, and stand in the line's own log (W-05)", async () => {
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
    ingest: () => Promise.reject(new TypeError("a mistake")),
    onTyping: () => undefined,
    onStateChange: () => undefined,
    onEnded: () => undefined,
    onLeaseLost: () => undefined,
  });

  for (let tries = 0; tries < 5; tries += 1) {
    await host.commit([{ kind: "event", event }]).catch(() => undefined);
  }
  host.onAlarm("stuck");
  host.onAlarm("commit", new Error("the store is away"));
  host.onAlarm("commit", new Error("the store is away"));
  await host.flushed();

  const text = await app.services.metrics.registry.metrics();
  expect(text.split("\n").filter((row) => row.startsWith("prosa_line_alarms_total"))).toEqual([
    'prosa_line_alarms_total{alarm="poison"} 1',
    'prosa_line_alarms_total{alarm="stuck"} 1',
    'prosa_line_alarms_total{alarm="commit"} 2',
  ]);
  const { body } = await app
    .as(company.admin)
    .get<{ event: string; detail: string }[]>(`/whatsapp/${connectionId}/log`);
  expect(body).toMatchObject([
    { event: "alarm", detail: "a message was stuck between its decryption and its event" },
    { event: "alarm", detail: "a status could not be taken in" },
  ]);
});
