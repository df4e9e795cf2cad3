import { companies, sessionRules } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser, testPassword } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";
import type { TestSocket } from "#server/testing/socket.ts";
import { endpoints } from "#server/testing/rights/calls.ts";

const morning = "2026-03-02T15:00:00Z";
/** Midnight in São Paulo, after the last day that is paid for. */
const midnight = "2026-03-03T03:00:00Z";
const clock = createMovedClock(morning);
let app: TestApp;
let operator: TestCompany;
beforeAll(async () => {
  app = await createTestApp({ clock });
  operator = await aCompany(app, { isOperator: true });
});
afterAll(() => app.close());

async function aPaidCompany() {
  clock.set(morning);
  const company = await aCompany(app, { dueDate: "2026-03-02" });
  return { company, agent: await aUser(company) };
}

const isCut = (socket: TestSocket) => new Promise<string>((resolve) => socket.io.once("disconnect", resolve));
const refusal = (who: TestUser) =>
  app.connect(who).then(
    () => "let in",
    (error: Error) => error.message,
  );

async function cookieOf({ email }: TestUser): Promise<string> {
  const answer = await app.as(undefined).post("/auth/login", { email, password: testPassword });
  expect(answer.status).toBe(200);
  return answer.cookies[sessionRules.refreshCookie] ?? "";
}
const withCookie = (cookie: string) => ({ cookie: `${sessionRules.refreshCookie}=${cookie}` });
const refresh = (cookie: string) =>
  app.as(undefined).post<{ error?: string }>("/auth/refresh_token", undefined, withCookie(cookie));

describe("past the due date (A-03, V-05)", () => {
  test("sockets are closed, admin and agent alike, and none is let in until the company has paid", async () => {
    const { company, agent } = await aPaidCompany();
    const sockets = await Promise.all([agent, company.admin].map((who) => app.connect(who)));
    const [asks, waits] = sockets.map(isCut);
    clock.set(midnight);
    // the one asks to join, the other only waits until something would be told to it
    void sockets[0]?.join("joinTickets", "open").catch(() => undefined);
    await asks;
    await company.inside(async (ctx) => ctx.emit({ type: "setting.saved", payload: { key: "call" } }));
    await app.settle();
    await waits;
    expect(sockets[1]?.packets.filter(({ event }) => event.endsWith("-settings"))).toEqual([]);
    expect([await refusal(agent), await refusal(company.admin)]).toEqual([
      "ERR_SUBSCRIPTION_EXPIRED",
      "ERR_SUBSCRIPTION_EXPIRED",
    ]);

    await app
      .as(operator.admin)
      .call(companies.update, { params: { id: company.id }, body: { dueDate: "2026-04-02" } });
    await app.settle();
    expect(await refusal(agent)).toBe("let in");
  });

  test("another due date counts at once for those who are connected", async () => {
    const { company, agent } = await aPaidCompany();
    const socket = await app.connect(agent);
    const cut = isCut(socket);
    await app
      .as(operator.admin)
      .call(companies.update, { params: { id: company.id }, body: { dueDate: "2026-03-01" } });
    await app.settle();
    await cut;
    expect(await refusal(agent)).toBe("ERR_SUBSCRIPTION_EXPIRED");
  });

  test("an agent renews nothing and keeps the cookie until the company has paid; its admin renews", async () => {
    const { company, agent } = await aPaidCompany();
    const [ofAgent, ofAdmin] = [await cookieOf(agent), await cookieOf(company.admin)];
    clock.set(midnight);
    const refused = await refresh(ofAgent);
    expect([refused.status, refused.body.error, refused.cookies]).toEqual([403, "ERR_SUBSCRIPTION_EXPIRED", {}]);
    const me = await app.as(undefined).get("/auth/me", withCookie(ofAgent));
    expect([me.status, me.body]).toMatchObject([403, { error: "ERR_SUBSCRIPTION_EXPIRED" }]);
    expect((await refresh(ofAdmin)).status).toBe(200);

    await app.as(operator.admin).call(companies.update, { params: { id: company.id }, body: { dueDate: null } });
    expect((await refresh(ofAgent)).status).toBe(200);
  });

  test("an operator is let in like an admin, whatever their profile (V-04)", async () => {
    const { agent } = await aPaidCompany();
    await sql`update users set is_super = true where id = ${agent.userId}`.execute(app.db.system);
    clock.set(midnight);
    await cookieOf(agent);
  });

  test("what stays open to an admin is this list alone, as operations.md has it", () => {
    const open = [...endpoints].filter(([, { access }]) => access.whenOverdue).map(([name]) => name);
    expect(open.toSorted()).toEqual([
      "announcements.get",
      "announcements.list",
      "companies.account",
      "companies.create",
      "companies.list",
      "companies.listPlan",
      "companies.lookup",
      "companies.remove",
      "companies.saveAccount",
      "companies.update",
      "invoices.all",
      "invoices.companies",
      "invoices.get",
      "invoices.list",
      "invoices.markPaid",
      "invoices.ofCompany",
      "invoices.saveSettings",
      "invoices.settings",
      "invoices.summary",
      "invoices.takeBack",
      "subscription.create",
      "subscription.next",
      "support.allow",
      "support.ask",
      "support.end",
      "support.enter",
      "support.leave",
      "support.state",
    ]);
  });
});

test("switched off, everybody is out at once: sockets, cookies and sign-in (Y-01, V-05)", async () => {
  const { company, agent } = await aPaidCompany();
  const cookie = await cookieOf(company.admin);
  const socket = await app.connect(agent);
  const cut = isCut(socket);
  await app.as(operator.admin).call(companies.update, { params: { id: company.id }, body: { status: false } });
  await app.settle();
  await cut;
  expect((await refresh(cookie)).status).toBe(401);
  const { status, body } = await app.as(undefined).post("/auth/login", { email: agent.email, password: testPassword });
  expect([status, body]).toMatchObject([403, { error: "ERR_COMPANY_DISABLED" }]);
});
