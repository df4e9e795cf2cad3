import { companies, defaultSchedules } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import { companyLocaleOf, companyProfileOf } from "./index.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const lunch = defaultSchedules.map((day) => ({ ...day, endTime: "12:00", startTime2: "13:30", endTime2: "18:00" }));

test("a company starts with the default service hours, and its admin changes them, two ranges a day (G-03)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const params = { id: company.id };
  expect((await admin.call(companies.get, { params })).body).toMatchObject({ schedules: defaultSchedules });

  const saved = await admin.call(companies.saveSchedules, { params, body: { id: company.id, schedules: lunch } });

  expect([saved.status, saved.body.schedules]).toEqual([200, lunch]);
  expect((await company.inside((ctx) => companyProfileOf(ctx))).schedules).toEqual(lunch);
});

test.each(["8:00", "24:00", "08:60", "0800", ""])("%j is no time of day (G-03)", async (startTime) => {
  const company = await aCompany(app);
  const schedules = defaultSchedules.map((day) => ({ ...day, startTime }));
  const refused = await app
    .as(company.admin)
    .call(companies.saveSchedules, { params: { id: company.id }, body: { schedules } });
  expect(refused).toMatchObject({ status: 400, body: { error: "ERR_VALIDATION" } });
});

test("ranges of a day that overlap are refused, by name (G-03)", async () => {
  const company = await aCompany(app);
  const schedules = lunch.map((day) => ({ ...day, startTime: "08:00", endTime: "14:00" }));
  const refused = await app
    .as(company.admin)
    .call(companies.saveSchedules, { params: { id: company.id }, body: { schedules } });
  expect(refused).toMatchObject({ status: 400, body: { details: { fields: { schedules: "Ranges overlap" } } } });
});

test("a change of time zone and language holds everywhere at once (G-02)", async () => {
  const company = await aCompany(app);
  const params = { id: company.id };
  expect(await company.inside((ctx) => companyLocaleOf(ctx))).toMatchObject({ timeZone: "America/Sao_Paulo" });

  const body = { timeZone: "America/Rio_Branco", language: "es" } as const;
  expect((await app.as(company.admin).call(companies.saveLocale, { params, body })).body).toMatchObject(body);

  expect(await company.inside((ctx) => companyLocaleOf(ctx))).toEqual(body);
  const { body: me } = await app.as(company.admin).get("/auth/me");
  expect(me).toMatchObject({ company: { timeZone: "America/Rio_Branco" } });
});

test("time zone and language are changed one by one; open pages get the new time zone (G-02)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const params = { id: company.id };
  const page = await app.connect(await aUser(company));

  await admin.call(companies.saveLocale, { params, body: { timeZone: "America/Rio_Branco" } });
  await app.settle();
  expect((await page.next(`company-${company.id}-company`)).payload).toMatchObject({
    action: "update",
    company: { id: company.id, timeZone: "America/Rio_Branco" },
  });
  const both = { timeZone: "America/Rio_Branco", language: "en" } as const;
  expect((await admin.call(companies.saveLocale, { params, body: { language: "en" } })).body).toMatchObject(both);
  expect((await admin.call(companies.saveLocale, { params, body: {} })).body).toMatchObject(both);
  page.close();
});

test.each(["-03:00", "Brasilia", "America/Nowhere", ""])("%j is no time zone (G-02)", async (timeZone) => {
  const company = await aCompany(app);
  const refused = await app
    .as(company.admin)
    .call(companies.saveLocale, { params: { id: company.id }, body: { timeZone, language: "pt" } });
  expect(refused).toMatchObject({ status: 400, body: { details: { fields: { timeZone: "Invalid time zone" } } } });
});

test("agents read their company and cannot change it; another company gets 404, without a sign-in 401 (G-03)", async () => {
  const company = await aCompany(app);
  const params = { id: company.id };
  const read = (who: TestCaller) => who.call(companies.get, { params });
  const writes = (who: TestCaller) => [
    who.call(companies.saveSchedules, { params, body: { schedules: lunch } }),
    who.call(companies.saveLocale, { params, body: { timeZone: "UTC", language: "en" } }),
  ];
  const statuses = async (calls: readonly Promise<{ readonly status: number }>[]) =>
    (await Promise.all(calls)).map(({ status }) => status);

  const agent = app.as(await aUser(company));
  expect(await statuses([read(agent), ...writes(agent)])).toEqual([200, 403, 403]);
  const foreign = app.as((await aCompany(app)).admin);
  expect(await statuses([read(foreign), ...writes(foreign)])).toEqual([404, 404, 404]);
  const stranger = app.as(undefined);
  expect(await statuses([read(stranger), ...writes(stranger)])).toEqual([401, 401, 401]);
});
