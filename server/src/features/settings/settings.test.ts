import { audit, auth, companies, invoices, settings } from "@prosa/contract";
import type { BodyIn } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import { isEnabled, settingOf } from "./index.ts";

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

test("the operator's token is the API key of its Asaas account, and never leaves the server (G-02, F-03)", async () => {
  const operator = app.as((await aCompany(app, { isOperator: true })).admin);
  const tokenOf = async (caller: typeof operator) =>
    (await caller.call(settings.list)).body.find(({ key }) => key === "asaas")?.value;
  const choose = (body: BodyIn<typeof invoices.saveSettings>) => operator.call(invoices.saveSettings, { body });
  const webhookToken = "a token for the webhook";
  expect((await choose({ provider: "asaas", asaas: { webhookToken } })).status).toBe(400);

  const saved = await operator.call(settings.save, save("asaas", " $aact_very_secret "));
  expect([saved.status, saved.body]).toEqual([200, { key: "asaas", value: "set" }]);
  expect(await tokenOf(operator)).toBe("set");
  expect((await operator.call(settings.list)).text).not.toContain("very_secret");
  const rows = await Promise.all(
    (["settings", "payment_accounts"] as const).map((table) => app.db.system.selectFrom(table).selectAll().execute()),
  );
  expect(JSON.stringify(rows)).not.toContain("very_secret");
  expect((await operator.call(invoices.settings)).body).toMatchObject({
    provider: "static",
    asaas: { hasKeys: false },
  });

  const chosen = await choose({ provider: "asaas", asaas: { webhookToken } });
  expect(chosen.body).toMatchObject({ provider: "asaas", asaas: { hasKeys: true } });
  const needed = await operator.call(settings.save, save("asaas", ""));
  expect([needed.status, needed.body]).toMatchObject([400, { error: "ERR_VALIDATION" }]);

  await choose({ provider: "static" });
  expect((await operator.call(settings.save, save("asaas", ""))).body).toEqual({ key: "asaas", value: "" });
  expect([await tokenOf(operator), (await choose({ provider: "asaas" })).status]).toEqual(["", 400]);
  const { body: log } = await operator.call(audit.list, { query: { action: "settings.updated" } });
  expect(log.records.filter(({ details }) => "keysOfAsaas" in details).length).toBe(3);
  expect(JSON.stringify(log)).not.toContain("very_secret");
});

test("another company has no such token, and what it had saved once is not shown (G-02)", async () => {
  const company = await aCompany(app);
  await app.db.system
    .insertInto("settings")
    .values({ company_id: company.id, key: "asaas", value: "sealed once" })
    .execute();
  const admin = app.as(company.admin);
  const refused = await admin.call(settings.save, save("asaas", "$aact_mine"));
  expect([refused.status, refused.body]).toMatchObject([403, { error: "ERR_NO_PERMISSION" }]);
  expect((await admin.call(settings.list)).body).toContainEqual({ key: "asaas", value: "" });
  expect((await admin.call(auth.me)).body.company.settings).toContainEqual({ key: "asaas", value: "" });
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
