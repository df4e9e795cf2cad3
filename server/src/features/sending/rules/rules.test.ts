import { sendingDefaults, sendingRulesApi } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("a rule that is not named stays, of a company that saved none the default one (P-03)", async () => {
  const admin = app.as((await aCompany(app)).admin);
  const save = async (body: object) => (await admin.call(sendingRulesApi.save, { body })).body;
  expect(await save({ minGapSeconds: 7 })).toMatchObject({ minGapSeconds: 7, hours: sendingDefaults.hours });
  const hours = { ...sendingDefaults.hours, end: "18:00" };
  expect(await save({ hours })).toMatchObject({ minGapSeconds: 7, hours });
  expect(await save({ minGapSeconds: 9 })).toMatchObject({ minGapSeconds: 9, hours });
  expect(await save({})).toMatchObject({ minGapSeconds: 9, hours });
});
