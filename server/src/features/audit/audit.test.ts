import { audit, auth, campaigns, companies, connections, queues, settings, users } from "@prosa/contract";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainAudit, verifyAudit } from "#server/platform/audit/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aUser, testPassword } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
let owner: pg.Client;
beforeAll(async () => {
  app = await createTestApp();
  owner = new pg.Client({ connectionString: app.database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await app.close();
});

const signal = new AbortController().signal;
const chain = () => chainAudit(app.services, signal);
const list = async (company: TestCompany, query = {}) =>
  (await app.as(company.admin).call(audit.list, { query })).body.records;

test("who did what from where is recorded with the change, and filtered by person, action, target and day (V-01)", async () => {
  const company = await aCompany(app);
  const stranger = await aCompany(app);
  const agent = await aUser(company, { name: "Ana" });
  const admin = app.as(company.admin);
  expect((await app.as(agent).call(audit.list)).status).toBe(403);
  const { body: queue } = await admin.call(queues.create, { body: { name: "Vendas", color: "#1f7ae0" } });
  await admin.call(queues.update, { params: { id: queue.id }, body: { name: "Compras", token: "a-secret-token" } });
  await admin.call(queues.update, { params: { id: queue.id }, body: { name: "Compras" } });
  await admin.call(settings.save, { params: { key: "userRating" }, body: { value: "enabled" } });
  await admin.call(users.update, { params: { id: agent.userId }, body: { profile: "supervisor" } });
  await admin.call(queues.remove, { params: { id: queue.id } });
  const signIn = (password: string) =>
    app.as(undefined).post("/auth/login", { email: agent.email, password }, { "user-agent": "Firefox" });
  expect((await signIn("wrong")).status).toBe(401);
  expect((await signIn(testPassword)).status).toBe(200);
  await app.settle();

  const entries = await list(company);
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["session.signed-in", "session.refused", "user.rights-changed", "settings.updated"]),
  );
  const updated = await list(company, { action: "queue.updated" });
  expect(updated).toMatchObject([
    {
      actorKind: "user",
      userId: company.admin.userId,
      userName: "Admin",
      targetType: "queue",
      targetId: String(queue.id),
      details: { name: { from: "Vendas", to: "Compras" }, token: "***" },
      address: "127.0.0.1",
    },
  ]);
  const refused = await list(company, { action: "session.refused" });
  expect(refused).toMatchObject([{ actorKind: "guest", targetName: "Ana", userAgent: "Firefox" }]);
  const ofQueue = await list(company, { targetType: "queue", targetId: String(queue.id) });
  expect(ofQueue.map(({ action }) => action)).toEqual(["queue.deleted", "queue.updated", "queue.created"]);
  expect((await list(company, { userId: agent.userId })).map(({ action }) => action)).toEqual([
    "session.signed-in",
    "session.signed-in",
  ]);
  expect(await list(company, { dateTo: "2020-01-01" })).toEqual([]);
  expect((await list(stranger)).every(({ userId }) => userId === stranger.admin.userId)).toBe(true);

  const csv = await admin.call(audit.export);
  expect(csv.text).toContain("queue.updated");
  expect(csv.text).not.toContain("a-secret-token");
  expect((await list(company, { action: "audit.exported" })).length).toBe(1);
});

test("a demanded second factor, another token of a line, a deleted campaign and the operator's terms have entries of their own (V-01)", async () => {
  const company = await aCompany(app);
  const line = await aConnection(company);
  const admin = app.as(company.admin);
  const operator = app.as((await aCompany(app, { isOperator: true, name: "Operadora" })).admin);
  const campaign = await company.inside((ctx) =>
    ctx.db
      .insertInto("campaigns")
      .values({ company_id: company.id, name: "Natal" })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  const saved = await Promise.all([
    admin.call(settings.save, { params: { key: "requireTwoFactor" }, body: { value: "enabled" } }),
    admin.call(connections.update, {
      params: { id: line.id },
      body: { token: "um-token-bem-longo", greetingMessage: "Oi" },
    }),
    admin.call(campaigns.remove, { params: { id: campaign.id } }),
    operator.call(companies.update, {
      params: { id: company.id },
      body: { phone: "11 99999-0000", recurrence: "ANUAL", dueDate: "2031-01-31" },
    }),
  ]);
  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  // nothing is new in a token that stays
  await admin.call(connections.update, { params: { id: line.id }, body: { token: "", greetingMessage: "Oi" } });
  const entries = (await list(company))
    .filter(({ action }) => !["session.signed-in", "connection.created"].includes(action))
    .map(({ action, targetName, details }) => [action, targetName, details]);
  expect(entries.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
    ["campaign.deleted", "Natal", {}],
    ["company.updated", expect.any(String), { phone: { from: "", to: "11 99999-0000" } }],
    ["connection.token-changed", expect.any(String), {}],
    ["connection.updated", expect.any(String), { greetingMessage: { from: "", to: "Oi" } }],
    [
      "subscription.updated",
      expect.any(String),
      { dueDate: { from: null, to: "2031-01-31" }, recurrence: { from: "MENSAL", to: "ANUAL" } },
    ],
    ["two-factor.required", "requireTwoFactor", { from: "disabled", to: "enabled" }],
  ]);
});

test("what is rolled back is not recorded, and a request can neither change nor remove an entry (V-01)", async () => {
  const company = await aCompany(app);
  await app.as(company.admin).call(queues.create, { body: { name: "Vendas", color: "#1f7ae0" } });
  const again = await app.as(company.admin).call(queues.create, { body: { name: "Vendas", color: "#1f7ae1" } });
  expect(again.status).toBe(400);
  expect(await list(company, { action: "queue.created" })).toHaveLength(1);

  for (const change of [
    sql`delete from audit_log`,
    sql`update audit_log set action = 'x'`,
    sql`update audit_heads set seq = 1`,
  ]) {
    await expect(company.inside((ctx) => change.execute(ctx.db))).rejects.toThrow(/permission denied/);
  }
  await expect(app.db.systemTx((tx) => sql`delete from audit_log`.execute(tx.db))).rejects.toThrow(/permission denied/);
  await chain();
  await expect(
    app.db.systemTx((tx) => sql`update audit_log set hash = '\\x00' where company_id = ${company.id}`.execute(tx.db)),
  ).rejects.toThrow(/chained/);
});

describe("the chain", () => {
  /** As somebody who owns the database. */
  async function tampered(tamper: (companyId: number) => string, chained = 6) {
    const company = await aCompany(app);
    await Promise.all(
      Array.from({ length: chained }, (_, n) =>
        app.as(company.admin).call(queues.create, { body: { name: `Fila ${n}`, color: `#00000${n}` } }),
      ),
    );
    await Promise.all([chain(), chain()]);
    expect((await verifyAudit(app.services, signal)).get(company.id)).toBeUndefined();
    await owner.query("set session_replication_role = replica");
    await owner.query(tamper(company.id));
    await owner.query("set session_replication_role = default");
    const { body } = await app.as(company.admin).call(audit.verify);
    return body;
  }

  test.each([
    ["a changed row", "update audit_log set user_name = 'Nobody' where company_id = $1 and seq = 3", "changed", "3"],
    ["changed details", `update audit_log set details = '{"a":1}' where company_id = $1 and seq = 4`, "changed", "4"],
    ["a removed row", "delete from audit_log where company_id = $1 and seq = 3", "missing", "3"],
    [
      "a removed last row",
      "delete from audit_log where company_id = $1 and seq = (select max(seq) from audit_log where company_id = $1)",
      "missing",
      "7",
    ],
    ["all removed", "delete from audit_log where company_id = $1", "missing", "1"],
    [
      "a removed last row with its head set back",
      `delete from audit_log where company_id = $1 and seq = 7;
       update audit_heads h set seq = 6, hash = (select hash from audit_log where company_id = $1 and seq = 6) where company_id = $1`,
      "head",
      "6",
    ],
    [
      "an inserted row",
      `insert into audit_log (company_id, at, actor_kind, action, personal_hash, seq, hash)
       select $1, now(), 'user', 'user.deleted', personal_hash, 8, hash from audit_log where company_id = $1 and seq = 7`,
      "inserted",
      "8",
    ],
    ["a removed head", "delete from audit_heads where company_id = $1", "head", "0"],
  ])("%s is named by the check (V-01)", async (_what, text, kind, seq) => {
    const check = await tampered((companyId) => text.replaceAll("$1", String(companyId)));
    if (kind === "head" && seq === "0") {
      const faults = await verifyAudit(app.services, signal);
      expect([...faults.values()]).toContainEqual(expect.objectContaining({ kind: "head", seq: "0" }));
      return;
    }
    expect(check.fault).toMatchObject({ kind, seq });
  });

  test("the nightly check tells the admin and the operator (V-01)", async () => {
    const operator = await aCompany(app, { isOperator: true });
    const company = await aCompany(app);
    await chain();
    await owner.query(`set session_replication_role = replica`);
    await owner.query(`update audit_log set action = 'user.deleted' where company_id = ${company.id} and seq = 1`);
    await owner.query(`set session_replication_role = default`);
    const { body } = await app.as(operator.admin).call(audit.verifyAll);
    expect(body.faults).toContainEqual({ companyId: company.id, kind: "changed", seq: "1", id: expect.any(String) });
    const failed = { action: "audit.check-failed" } as const;
    expect(await list(company, failed)).toMatchObject([{ actorKind: "system", targetId: String(company.id) }]);
    expect((await list(operator, failed)).map(({ targetId }) => targetId)).toContain(String(company.id));
    // and mails the operator where a mail server is set
    const mailsOf = async () =>
      (
        await sql<{ payload: { to: string; text: string } }>`select payload from jobs where task = 'mail.send'`.execute(
          app.db.system,
        )
      ).rows.filter(({ payload }) => payload.to === operator.admin.email);
    expect(await mailsOf()).toEqual([]);
    const env = { SMTP_URL: "smtp://127.0.0.1:1" };
    const mailed = await createTestApp({ env, sameDatabaseAs: app, closeAfterTest: true });
    await mailed.as(operator.admin).call(audit.verifyAll);
    const [told] = (await mailsOf()).filter(({ payload }) => payload.text.includes(`(#${company.id})`));
    expect(told?.payload.text).toContain("O registro 1 foi alterado depois de escrito.");
    expect((await app.as(company.admin).call(audit.verifyAll)).status).toBe(403);
    expect((await app.as(undefined).call(auth.me)).status).toBe(401);
  });
});
