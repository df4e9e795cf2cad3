import { campaigns, contactLists } from "@prosa/contract";
import { expect, onTestFinished, test } from "vitest";
import { features } from "#server/app/features.ts";
import type { Lines } from "#server/features/connections/index.ts";
import { contactListsFeature } from "#server/features/contact-lists/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany, aConnection } from "#server/testing/factories.ts";

/** Until a check gives up. */
const attemptsOfACheck = 12;

/** A campaign that began while WhatsApp answered the check of its list with errors, until `answer`. */
async function aCampaignWhoseCheckFailed() {
  const clock = createMovedClock("2026-05-04T15:00:00Z");
  const asked: Date[] = [];
  let isBroken = true;
  const call = async (_actor: unknown, _id: number, _method: string, numbers: readonly string[]) => {
    asked.push(clock.now());
    if (isBroken) {
      throw new Error("Timed Out");
    }
    return numbers.map((number) => [number, { phone: number, lid: null }] as const);
  };
  const lines = { call } as unknown as Pick<Lines, "call">;
  const own = contactListsFeature({ lines: () => lines });
  const app = await createTestApp({ clock, features: features.map((each) => (each.name === own.name ? own : each)) });
  onTestFinished(() => app.close());
  const company = await aCompany(app);
  const line = await aConnection(company, { number: "5511990000001" });
  const admin = app.as(company.admin);
  const { id: contactListId } = (await admin.call(contactLists.create, { body: { name: "Clientes" } })).body;
  const file = new FormData();
  file.append("file", new Blob(["nome;numero\nAna;5531900000001\nBia;5531900000002"]), "a.csv");
  expect((await admin.call(contactLists.upload, { params: { id: contactListId }, body: file })).status).toBe(200);
  await app.settle();
  const scheduledAt = clock.now().toISOString();
  const body = { name: "Natal", message1: "Oi", whatsappId: line.id, contactListId, scheduledAt };
  const params = { id: (await admin.call(campaigns.create, { body })).body.id };

  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 20) {
      clock.advance({ seconds: 20 });
      await app.settle();
    }
  };
  const checkState = async () =>
    (await admin.call(contactLists.get, { params: { id: contactListId } })).body.checkState;
  const unchecked = async () =>
    (await admin.call(campaigns.recipients, { params })).body.records.filter(({ state }) => state === "unchecked")
      .length;
  await app.settle();
  await pass(300);
  expect(await checkState()).toBe("failed");
  expect(await unchecked()).toBe(2);
  return { ...{ app, admin, params, asked, pass, unchecked }, answer: () => void (isBroken = false) };
}

test("a campaign asks again for numbers whose check gave up, and does not press a line that answers nothing (K-02, K-04)", async () => {
  const { asked, answer, pass, unchecked } = await aCampaignWhoseCheckFailed();
  const before = asked.length;
  await pass(3_600);
  expect(asked.length - before).toBeGreaterThan(2 * attemptsOfACheck);
  expect(asked.length - before).toBeLessThanOrEqual(6 * attemptsOfACheck);
  expect(await unchecked()).toBe(2);

  answer();
  await pass(900);
  expect(await unchecked()).toBe(0);
});

test("a campaign that is started again asks for its unchecked numbers at once (K-02, K-04)", async () => {
  const { app, admin, params, asked, answer, pass, unchecked } = await aCampaignWhoseCheckFailed();
  answer();
  const before = asked.length;
  await admin.call(campaigns.cancel, { params });
  await admin.call(campaigns.restart, { params });
  await app.settle();
  expect(asked.length - before).toBe(1);
  await pass(80);
  expect(await unchecked()).toBe(0);
});
