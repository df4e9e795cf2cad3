import { connections, scheduledMessages } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createBotScenario, createFakeLineApp } from "#server/testing/bot-scenario.ts";
import type { FakeLineApp } from "#server/testing/bot-scenario.ts";
import { createFakeLine } from "#server/testing/fake-line.ts";
import { aConnection } from "#server/testing/factories.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";

test("what is due while a line is being deleted is sent by another one, also where that line was chosen (O-03, W-01)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const { app, admin, connection, clock } = scenario;
  await scenario.sendTexts(maria, "oi");
  const { contactId } = await scenario.ticketOf(maria);
  const other = await aConnection(scenario.company, { number: "5511990000002" });
  const otherLine = createFakeLine(other.id);
  fakeLineApp.lines.set(other.id, otherLine);
  const sendAt = new Date(clock.now().getTime() + 60 * 60_000).toISOString();
  const scheduled = async (body: string, whatsappId: number | null) =>
    (await admin.call(scheduledMessages.create, { body: { body, contactId, whatsappId, sendAt } })).body;
  const made = [await scheduled("Por qualquer linha", null), await scheduled("Por esta linha", connection.id)];

  await admin.call(connections.remove, { params: { id: connection.id } });
  // The job that erases it waits for its turn.
  await sql`update jobs set run_at = 'infinity' where task = 'connections.erase'`.execute(app.db.system);
  const change = { params: { id: made[1]!.id }, body: { body: "Por esta linha, mudado" } };
  const changed = await admin.call(scheduledMessages.update, change);
  expect([changed.status, changed.body]).toMatchObject([200, { whatsappId: null }]);

  clock.advance({ minutes: 61 });
  await app.settle();
  // The second one may wait for the line's gap.
  clock.advance({ minutes: 5 });
  await app.settle();
  expect(otherLine.texts().toSorted()).toEqual(["Por esta linha, mudado", "Por qualquer linha"]);
});
