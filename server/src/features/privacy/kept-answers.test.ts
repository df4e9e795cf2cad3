import { privacy } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function keptAnswers(companyId: number): Promise<number> {
  const { rows } = await sql`select from answered_requests where company_id = ${companyId}`.execute(app.db.system);
  return rows.length;
}

test("an erasure forgets the answers that are kept for repeated requests: one may speak of the person (V-02)", async () => {
  const [company, other] = [await aCompany(app), await aCompany(app)];
  const key = { "idempotency-key": crypto.randomUUID() };
  const add = (of: typeof company) =>
    app.as(of.admin).post<{ id: number }>("/contacts", { name: "Maria", number: "5511912345678" }, key);
  const made = await add(company);
  // the second is no duplicate of the admin's own contact
  expect([(await add(company)).body, (await add(other)).status]).toEqual([made.body, 200]);
  expect([await keptAnswers(company.id), await keptAnswers(other.id)]).toEqual([1, 1]);

  const erase = { params: { id: made.body.id }, body: { confirmation: "5511912345678" } };
  expect(await app.as(company.admin).call(privacy.erase, erase)).toMatchObject({ status: 200 });
  await app.settle();
  expect([await keptAnswers(company.id), await keptAnswers(other.id)]).toEqual([0, 1]);
});
