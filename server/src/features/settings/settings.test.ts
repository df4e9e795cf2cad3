import { companies, settings } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import { isEnabled, secretSettingOf, settingOf } from "./index.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const save = (key: string, value: string) => ({ params: { key }, body: { value } });

test("every setting is listed with its default, and a change shows at once (G-02)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const before = await admin.call(settings.list);
  expect(before.body).toContainEqual({ key: "sendGreetingAccepted", value: "disabled" });
  expect(await company.inside((ctx) => isEnabled(ctx, "sendGreetingAccepted"))).toBe(false);

  const saved = await admin.call(settings.save, save("sendGreetingAccepted", "enabled"));

  expect([saved.status, saved.body]).toEqual([200, { key: "sendGreetingAccepted", value: "enabled" }]);
  expect(await company.inside((ctx) => isEnabled(ctx, "sendGreetingAccepted"))).toBe(true);
  expect((await admin.call(settings.list)).body).toContainEqual({ key: "sendGreetingAccepted", value: "enabled" });
});

test("another process reads a cached setting again after the event (G-02)", async () => {
  const company = await aCompany(app);
  const other = await createTestApp({ sameDatabaseAs: app, closeAfterTest: true });
  const there = () =>
    other.db.inCompany(
      { actor: { kind: "system", companyId: company.id, reason: "test" }, companyId: company.id, ...other.services },
      (ctx) => settingOf(ctx, "scheduleType"),
    );
  expect(await there()).toBe("disabled");
  await app.as(company.admin).call(settings.save, save("scheduleType", "queue"));
  await other.settle();
  expect(await there()).toBe("queue");
});

test("unknown keys and values that a key may not hold are refused (G-02)", async () => {
  const admin = app.as((await aCompany(app)).admin);
  const unknown = await admin.call(settings.save, save("nonsense", "1"));
  expect([unknown.status, unknown.body]).toMatchObject([404, { error: "ERR_NO_SETTING_FOUND" }]);
  for (const [key, value] of [
    ["userRating", "maybe"],
    ["scheduleType", "enabled"],
    ["reopenToAgentMinutes", "-1"],
  ] as const) {
    const refused = await admin.call(settings.save, save(key, value));
    expect([key, refused.status, refused.body]).toMatchObject([key, 400, { error: "ERR_VALIDATION" }]);
  }
});

test("an admin cannot change the operator's settings, campaigns and public sign-up (G-02, Y-01)", async () => {
  const company = await aCompany(app);
  const operator = app.as((await aCompany(app, { isOperator: true })).admin);
  await operator.call(companies.update, { params: { id: company.id }, body: { campaignsEnabled: false } });
  for (const [key, value] of [
    ["campaignsEnabled", "true"],
    ["userCreation", "disabled"],
  ] as const) {
    const refused = await app.as(company.admin).call(settings.save, save(key, value));
    expect([key, refused.status, refused.body]).toMatchObject([key, 403, { error: "ERR_NO_PERMISSION" }]);
    expect((await operator.call(settings.save, save(key, value))).status).toBe(200);
  }
  expect(await company.inside((ctx) => isEnabled(ctx, "campaignsEnabled"))).toBe(false);
});

test("a secret never leaves the server, neither in answers nor in the database (G-02)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const saved = await admin.call(settings.save, save("asaas", "$aact_very_secret"));
  const listed = await admin.call(settings.list);
  expect(saved.body).toEqual({ key: "asaas", value: "set" });
  expect(listed.body).toContainEqual({ key: "asaas", value: "set" });
  expect(listed.text).not.toContain("very_secret");

  const rows = await app.db.system.selectFrom("settings").selectAll().where("company_id", "=", company.id).execute();
  expect(JSON.stringify(rows)).not.toContain("very_secret");
  expect(await company.inside((ctx) => secretSettingOf(ctx, app.services.vault, "asaas"))).toBe("$aact_very_secret");
});

test("agents read settings and admins change them; the change is published to the whole company (G-02)", async () => {
  const company = await aCompany(app);
  const agent = await aUser(company);
  const socket = await app.connect(agent);
  expect((await app.as(agent).call(settings.list)).status).toBe(200);
  expect((await app.as(agent).call(settings.save, save("call", "enabled"))).status).toBe(403);
  expect((await app.as(undefined).call(settings.save, save("call", "enabled"))).status).toBe(401);

  await app.as(company.admin).call(settings.save, save("call", "enabled"));
  await app.settle();
  const { payload } = await socket.next(`company-${company.id}-settings`);
  expect(payload).toEqual({ action: "update", setting: { key: "call", value: "enabled" } });
  socket.close();
});
