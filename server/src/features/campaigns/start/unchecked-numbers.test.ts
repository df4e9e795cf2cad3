import { campaigns, contactListItems, contactLists } from "@prosa/contract";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { features } from "#server/app/features.ts";
import type { Lines } from "#server/features/connections/index.ts";
import { contactListsFeature } from "#server/features/contact-lists/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { findErasedNumbers } from "#server/features/privacy/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";

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
  const own = contactListsFeature({ findErasedNumbers, check: { lines: () => lines } });
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
  return {
    ...{ app, admin, company, contactListId, params, asked, pass, unchecked },
    answer: () => void (isBroken = false),
  };
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

test("a number that is corrected in the list before its check is another person: under their name, or a duplicate (K-02, K-05)", async () => {
  const { app, admin, company, contactListId, params, answer, pass } = await aCampaignWhoseCheckFailed();
  const before = await aContact(company, { number: "5531900000001" });
  await company.inside(({ db }) =>
    sql`update campaign_recipients set contact_id = ${before.id} where number = ${before.number}`.execute(db),
  );
  const recipients = async () => (await admin.call(campaigns.recipients, { params })).body.records;
  const items = (await admin.call(contactListItems.list, { query: { contactListId } })).body.contacts;
  const correct = (name: string, body: { name?: string; number: string }) =>
    admin.call(contactListItems.update, { params: { id: items.find((item) => item.name === name)!.id }, body });
  expect((await correct("Ana", { name: "Davi", number: "5531900000004" })).status).toBe(200);
  // Bia's item becomes Ana's number, whom the campaign still has in its place.
  await company.inside(({ db }) =>
    sql`insert into campaign_recipients (company_id, campaign_id, position, name, number, match_number, state)
      values (${company.id}, ${params.id}, 3, 'Eva', '5531900000005', '5531900000005', 'failed')`.execute(db),
  );
  expect((await correct("Bia", { number: "5531900000005" })).status).toBe(200);
  answer();
  await pass(900);
  await app.settle();
  const [first, second, third] = await recipients();
  expect(first).toMatchObject({ name: "Davi", number: "5531900000004" });
  expect(first?.contactId).not.toBe(before.id);
  expect(["unchecked", "invalid", "duplicate"]).not.toContain(first?.state);
  expect(second).toMatchObject({ name: "Bia", state: "duplicate", contactId: null });
  expect(third).toMatchObject({ name: "Eva", state: "failed" });
});
