import { companies, defaultSchedules, messages, users, wallClockOf } from "@prosa/contract";
import type { BodyIn } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aUser, testPassword } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { isEnabled } from "#server/features/settings/index.ts";

let app: TestApp;
let home: TestCompany;
let operator: TestCaller;
beforeAll(async () => {
  app = await createTestApp();
  home = await aCompany(app, { isOperator: true, name: "Prosa" });
  operator = app.as(home.admin);
});
afterAll(() => app.close());

let serial = 0;
async function aBody(options: Partial<BodyIn<typeof companies.create>> = {}): Promise<BodyIn<typeof companies.create>> {
  serial += 1;
  const plan = await app.db.system.selectFrom("plans").select("id").orderBy("id").executeTakeFirstOrThrow();
  const email = `boss${serial}@example.com`;
  return { name: `Padaria ${serial}`, email, planId: plan.id, password: "secret", ...options };
}

const signIn = (email: string, password = "secret") => app.as(undefined).post("/auth/login", { email, password });

describe("the operator", () => {
  test("reads any company by its id: the record of the list, with its profile; nobody else does (Y-01)", async () => {
    const company = await aCompany(app);
    const params = { id: company.id };
    const { body: all } = await operator.call(companies.lookup);
    const { status, body } = await operator.call(companies.get, { params });
    expect([status, body]).toEqual([
      200,
      {
        ...all.find(({ id }) => id === company.id),
        timeZone: "America/Sao_Paulo",
        language: "pt",
        schedules: defaultSchedules,
      },
    ]);
    const own = await operator.call(companies.get, { params: { id: home.id } });
    expect(own.body).toMatchObject({ id: home.id, name: "Prosa", status: true, schedules: defaultSchedules });
    expect((await operator.call(companies.get, { params: { id: 999_999 } })).status).toBe(404);

    const mine = await app.as(company.admin).call(companies.get, { params });
    expect(Object.keys(mine.body).toSorted()).toEqual(["id", "language", "name", "schedules", "timeZone"]);
    expect((await app.as(company.admin).call(companies.get, { params: { id: home.id } })).status).toBe(404);
  });

  test("adds a company, whose first admin signs in at once and sees nothing of others (Y-01)", async () => {
    const body = await aBody({ phone: "(11) 99999-0000", dueDate: "2031-02-28", recurrence: "ANUAL" });
    const made = await operator.call(companies.create, { body });
    expect([made.status, made.body]).toMatchObject([
      200,
      {
        name: body.name,
        email: body.email,
        phone: body.phone,
        planId: body.planId,
        status: true,
        dueDate: "2031-02-28",
      },
    ]);
    expect(made.body).toMatchObject({ recurrence: "ANUAL", campaignsEnabled: true });
    const signedIn = await signIn(body.email);
    expect(signedIn.body).toMatchObject({ user: { profile: "admin", super: false, companyId: made.body.id } });
  });

  test("extends a trial, ends it and begins one again: its end follows the due date, and a date alone ends it (F-06, A-09)", async () => {
    const company = await aCompany(app);
    const params = { id: company.id };
    const day = (days: number) =>
      wallClockOf(new Date(Date.now() + days * 86_400_000), "America/Sao_Paulo").slice(0, 10);
    const change = async (body: BodyIn<typeof companies.update>) =>
      (await operator.call(companies.update, { params, body })).body.isTrial;
    const daysLeft = async () => {
      const { body } = await signIn(company.admin.email, testPassword);
      const end = (body as { user: { company: { trialExpiration: string | null } } }).user.company.trialExpiration;
      return end === null ? null : Math.ceil((Date.parse(end) - Date.now()) / 86_400_000);
    };
    expect([await change({ dueDate: day(3), isTrial: true }), await daysLeft()]).toEqual([true, 3]);
    // the form sends all of it: nothing is moved by another field
    expect([await change({ dueDate: day(3), isTrial: true, phone: "1" }), await daysLeft()]).toEqual([true, 3]);
    expect([await change({ phone: "2" }), await change({ dueDate: day(3) }), await daysLeft()]).toEqual([
      true,
      true,
      3,
    ]);
    expect([await change({ dueDate: day(10), isTrial: true }), await daysLeft()]).toEqual([true, 10]);
    expect([await change({ dueDate: day(1), isTrial: true }), await daysLeft()]).toEqual([true, 1]);
    expect([await change({ dueDate: day(30) }), await daysLeft()]).toEqual([false, null]);
    expect([await change({ isTrial: true }), await daysLeft()]).toEqual([true, 30]);
    expect([await change({ isTrial: false }), await daysLeft()]).toEqual([false, null]);
    expect([await change({ dueDate: null, isTrial: true }), await daysLeft()]).toEqual([false, null]);
    const made = await operator.call(companies.create, { body: await aBody({ dueDate: day(7), isTrial: true }) });
    expect(made.body).toMatchObject({ dueDate: day(7), isTrial: true });
  });

  test.each([undefined, "", null])(
    "needs no name and no password (%j): the answer carries one to hand over, once (Y-01, E-03)",
    async (absent) => {
      const { email, planId } = await aBody();
      const given = absent === undefined ? {} : { name: absent, password: absent };
      const made = await operator.post<{ id: number; name: string; adminPassword: string }>("/companies", {
        email,
        planId,
        ...given,
      });
      expect([made.status, made.body]).toMatchObject([200, { name: email, adminPassword: expect.any(String) }]);
      expect((await signIn(email, made.body.adminPassword)).status).toBe(200);
      const { body } = await operator.call(companies.get, { params: { id: made.body.id } });
      expect(body).not.toHaveProperty("adminPassword");
    },
  );

  test("cannot use a name or an e-mail that is taken, and nothing is left of the attempt (Y-01)", async () => {
    const first = await aBody();
    await operator.call(companies.create, { body: first });
    const sameName = await operator.call(companies.create, { body: await aBody({ name: first.name }) });
    expect([sameName.status, sameName.body]).toMatchObject([409, { error: "ERR_NAME_TAKEN" }]);
    const sameEmail = await aBody({ email: first.email });
    const refused = await operator.call(companies.create, { body: sameEmail });
    expect([refused.status, refused.body]).toMatchObject([409, { error: "ERR_EMAIL_TAKEN" }]);
    const { body } = await operator.call(companies.lookup);
    expect(body.filter(({ name }) => name === sameEmail.name)).toEqual([]);
  });

  test("finds companies by name, e-mail or phone, accents ignored (Y-01)", async () => {
    const made = await operator.call(companies.create, {
      body: await aBody({ name: "Açougue São João", phone: "4733221100" }),
    });
    for (const searchParam of ["acougue sao", made.body.email, "47332211"]) {
      const { body } = await operator.call(companies.list, { query: { searchParam } });
      expect([searchParam, body.companies.map(({ id }) => id), body.count]).toEqual([searchParam, [made.body.id], 1]);
    }
  });

  test("changes the given fields and leaves the rest; an empty due date never ends (Y-01)", async () => {
    const { body: made } = await operator.call(companies.create, { body: await aBody({ dueDate: "2031-01-31" }) });
    const params = { id: made.id };
    const changed = await operator.call(companies.update, { params, body: { phone: "11", recurrence: "SEMESTRAL" } });
    expect(changed.body).toEqual({ ...made, phone: "11", recurrence: "SEMESTRAL" });
    const endless = await operator.call(companies.update, { params, body: { dueDate: "" } });
    expect(endless.body.dueDate).toBe(null);
    const nowhere = await operator.call(companies.update, { params, body: { planId: 2_000_000_000 } });
    expect(nowhere).toMatchObject({ status: 400, body: { details: { fields: { planId: "Required" } } } });
  });

  test("moves a due date from a month's end to the next one's, and its day comes back after a shorter month (Y-01, F-04)", async () => {
    const { body: made } = await operator.call(companies.create, { body: await aBody({ dueDate: "2031-01-31" }) });
    const params = { id: made.id };
    const dueDayAfter = async (dueDate: string | null) =>
      (await operator.call(companies.update, { params, body: { dueDate } })).body.dueDay;
    expect([made.dueDay, await dueDayAfter("2031-02-28"), await dueDayAfter("2031-04-30")]).toEqual([31, 31, 31]);
    expect([await dueDayAfter("2031-05-10"), await dueDayAfter("2032-02-29")]).toEqual([10, 29]);
    expect([await dueDayAfter(null), await dueDayAfter("2031-02-28")]).toEqual([null, 28]);
  });

  test("disables campaigns of a company: its setting changes (Y-01, G-02)", async () => {
    const company = await aCompany(app);
    expect(await company.inside((ctx) => isEnabled(ctx, "campaignsEnabled"))).toBe(true);
    const params = { id: company.id };
    const { body } = await operator.call(companies.update, { params, body: { campaignsEnabled: false } });
    expect(body.campaignsEnabled).toBe(false);
    expect(await company.inside((ctx) => isEnabled(ctx, "campaignsEnabled"))).toBe(false);
  });

  test("gives a company a smaller plan, which holds at once (Y-05)", async () => {
    const company = await aCompany(app);
    const { body: small } = await operator.call(companies.listPlan, {
      params: { companyId: (await aCompany(app, { limit: 1 })).id },
    });
    const one = (email: string) => ({ body: { name: "Ana Prado", email, password: "secret" } });
    expect((await app.as(company.admin).call(users.create, one("fits@example.com"))).status).toBe(200);
    await operator.call(companies.update, { params: { id: company.id }, body: { planId: small.plan?.id ?? 0 } });
    const refused = await app.as(company.admin).call(users.create, one("toomany@example.com"));
    expect([refused.status, refused.body]).toMatchObject([403, { error: "ERR_PLAN_LIMIT" }]);
  });

  test("deactivates a company: all its sessions end and nobody can sign in until it is active again (Y-01)", async () => {
    const company = await aCompany(app);
    const agent = await aUser(company);
    const socket = await app.connect(agent);
    const gone = new Promise((resolve) => socket.io.once("disconnect", resolve));
    const params = { id: company.id };

    await operator.call(companies.update, { params, body: { status: false } });
    await app.settle();

    expect((await app.as(agent).get("/users/list")).status).toBe(401);
    await gone;
    expect((await signIn(agent.email, "prosa123")).body).toMatchObject({ error: "ERR_COMPANY_DISABLED" });
    await operator.call(companies.update, { params, body: { status: true } });
    expect((await signIn(agent.email, "prosa123")).status).toBe(200);
  });

  test("cannot delete or deactivate their own company (Y-01)", async () => {
    const params = { id: home.id };
    expect((await operator.call(companies.remove, { params })).status).toBe(403);
    expect((await operator.call(companies.update, { params, body: { status: false } })).status).toBe(403);
    expect((await operator.call(companies.lookup)).body.some(({ id }) => id === home.id)).toBe(true);
  });

  test("a second browser of the operator gets the change of companies, the company its own due date alone (N-06, A-03)", async () => {
    const company = await aCompany(app);
    const [mine, theirs] = [await app.connect(home.admin), await app.connect(company.admin)];
    const changes = { phone: "47", dueDate: "2099-01-31" };
    await operator.call(companies.update, { params: { id: company.id }, body: changes });
    await app.settle();
    expect((await mine.next(`company-${home.id}-company`)).payload).toEqual({ action: "changed" });
    const { id, name } = company;
    const own = { id, name, dueDate: changes.dueDate, trialExpiration: null };
    expect(theirs.packets.filter(({ event }) => event.endsWith("-company"))).toMatchObject([
      { event: `company-${id}-company`, payload: { action: "update", company: own } },
    ]);
    mine.close();
    theirs.close();
  });
});

describe("a deleted company", () => {
  test("is erased with its users, conversations, jobs and files; another company keeps its own (Y-01)", async () => {
    const [doomed, other] = [await aFullCompany(), await aFullCompany()];
    const before = await rowsOf(other);
    expect((await operator.call(companies.remove, { params: { id: doomed.id } })).status).toBe(200);

    const { body } = await operator.call(companies.lookup);
    expect(body.map(({ id }) => id)).not.toContain(doomed.id);
    expect((await app.as(doomed.admin).get("/users/list")).status).toBe(401);
    await app.settle();

    expect(await rowsOf(doomed)).toEqual({});
    expect(await filesOf(doomed)).toEqual([]);
    expect(await rowsOf(other)).toEqual(before);
    expect(await filesOf(other)).toHaveLength(1);
    expect((await signIn(doomed.admin.email, "prosa123")).body).toMatchObject({ error: "ERR_INVALID_CREDENTIALS" });
  });

  test("can be deleted whatever another one is named (Y-01)", async () => {
    const { body: made } = await operator.call(companies.create, { body: await aBody({ name: "Vila" }) });
    await operator.call(companies.create, { body: await aBody({ name: `Vila #${made.id}` }) });
    expect((await operator.call(companies.remove, { params: { id: made.id } })).status).toBe(200);
  });

  test("frees its name at once, its e-mails with its rows; a second deletion is 404 (Y-01)", async () => {
    const first = await aBody();
    const { body: made } = await operator.call(companies.create, { body: first });
    await operator.call(companies.remove, { params: { id: made.id } });
    expect((await operator.call(companies.remove, { params: { id: made.id } })).status).toBe(404);
    expect((await operator.call(companies.update, { params: { id: made.id }, body: {} })).status).toBe(404);
    await app.settle();
    expect((await operator.call(companies.create, { body: first })).status).toBe(200);
  });
});

test("only the operator reaches companies: an admin gets 403, without a sign-in 401 (Y-04)", async () => {
  const company = await aCompany(app);
  const params = { id: company.id };
  const body = await aBody();
  const statuses = async (who: TestCaller) =>
    (
      await Promise.all([
        who.call(companies.list, { query: {} }),
        who.call(companies.lookup),
        who.call(companies.create, { body }),
        who.call(companies.update, { params, body: { dueDate: null } }),
        who.call(companies.remove, { params }),
      ])
    ).map(({ status }) => status);
  expect(await statuses(app.as(company.admin))).toEqual([403, 403, 403, 403, 403]);
  expect(await statuses(app.as(undefined))).toEqual([401, 401, 401, 401, 401]);
});

/** A company with an open conversation, an outgoing message, and a file. */
async function aFullCompany(): Promise<TestCompany> {
  const company = await aCompany(app);
  const agent = await aUser(company);
  const line = await aConnection(company);
  const contact = await aContact(company);
  const { body: ticket } = await app
    .as(agent)
    .post<{ id: number }>("/tickets", { contactId: contact.id, whatsappId: line.id, userId: agent.userId });
  await app.as(agent).call(messages.send, { params: { ticketId: ticket.id }, body: { body: "Bom dia" } });
  await app.services.storage.put(`company/${company.id}/media/a.txt`, Buffer.from("a"), { contentType: "text/plain" });
  return company;
}

async function filesOf({ id }: TestCompany): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of app.services.storage.list(id, "media")) {
    keys.push(key);
  }
  return keys;
}

/** Number of the company's rows in each table, without the event log, which is pruned by age. */
async function rowsOf({ id, inside }: TestCompany): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'company_id' and table_name <> 'event_log'`.execute(app.db.system);
  const counts: [string, number][] = [];
  for (const { name } of tables) {
    const { rows } = await inside((ctx) =>
      sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)} where company_id = ${id}`.execute(
        ctx.db,
      ),
    );
    counts.push([name, rows[0]?.count ?? 0]);
  }
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
