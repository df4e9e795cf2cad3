import { companies, dashboard, invitations, ticketBulks, tickets, users } from "@prosa/contract";
import type { BodyIn, InvitationLink } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashSecret } from "#server/platform/auth/index.ts";
import { readSharedTokens } from "#server/platform/http/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestResponse } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";

let app: TestApp;
let company: TestCompany;
let later = 0;
beforeAll(async () => {
  app = await createTestApp({ clock: { now: () => new Date(Date.now() + later) } });
  company = await aCompany(app, { name: "Loja Aurora" });
});
afterAll(() => app.close());

let serial = 0;
const newEmail = () => `invited${(serial += 1)}@example.com`;

async function invite(
  by: TestUser = company.admin,
  body: Partial<BodyIn<typeof invitations.create>> = {},
): Promise<TestResponse<InvitationLink>> {
  return app.as(by).call(invitations.create, { body: { email: newEmail(), ...body } });
}

const open = (token: string) => app.as(undefined).call(invitations.open, { body: { token } });
const accept = (token: string, body: { name?: string; password?: string } = {}) =>
  app.as(undefined).call(invitations.accept, { body: { token, name: "Bia Souza", password: "segredo", ...body } });
const signIn = (email: string, password: string) => app.as(undefined).post("/auth/login", { email, password });
const errorOf = ({ status, body }: TestResponse) => [status, (body as { error?: string }).error];
const notFound = [404, "ERR_NO_INVITATION_FOUND"];

/** Moves the time on for the rest of the test. */
async function after(ms: number, work: () => Promise<void>): Promise<void> {
  later = ms;
  await work().finally(() => (later = 0));
}
const days = (count: number) => count * 86_400_000;

describe("an invited user", () => {
  test("opens the link, sets name and password, is signed in, and signs in with it from then on (Z-05)", async () => {
    const queue = await aQueue(company);
    const { body: link } = await invite(company.admin, { profile: "supervisor", queueIds: [queue.id] });
    const { email } = link.user;
    expect(link.user).toMatchObject({
      profile: "supervisor",
      queues: [{ id: queue.id }],
      invitation: { expiresAt: link.expiresAt },
    });
    expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(days(7) - 60_000);
    const shown = await open(link.token);
    expect(shown.body).toEqual({
      company: "Loja Aurora",
      inviter: "Admin",
      name: "",
      email,
      expiresAt: link.expiresAt,
    });

    const { status, body, cookies } = await accept(link.token);
    expect([status, body.user]).toMatchObject([200, { name: "Bia Souza", email, profile: "supervisor" }]);
    const me = await app.as(undefined).get("/auth/me", { authorization: `Bearer ${body.token}` });
    expect(me.status).toBe(200);
    const refreshed = await app
      .as(undefined)
      .post("/auth/refresh_token", undefined, { cookie: `jrt=${cookies["jrt"]}` });
    expect(refreshed.status).toBe(200);
    expect((await signIn(email, "segredo")).status).toBe(200);
    const { body: seen } = await app.as(company.admin).call(users.get, { params: { id: link.user.id } });
    expect(seen).toMatchObject({ name: "Bia Souza", invitation: null });
  });

  test("cannot sign in before, and is offered to nobody as a colleague (Z-05)", async () => {
    const { body: link } = await invite(company.admin, { name: "Quase Lá" });
    for (const password of ["", "segredo", link.token, "no account has this password"]) {
      expect((await signIn(link.user.email, password)).status).not.toBe(200);
    }
    const agent = await aUser(company);
    const names = async () => {
      const { body: picker } = await app.as(company.admin).call(users.lookup, { query: {} });
      const { body: page } = await app.as(agent).call(users.list, { query: { searchParam: "quase" } });
      return [...picker.map(({ name }) => name).filter((name) => name === "Quase Lá"), ...page.users];
    };
    expect(await names()).toEqual([]);
    await accept(link.token, { name: "Quase Lá" });
    expect(await names()).toHaveLength(2);
  });

  test("is given no conversation, alone or in bulk, and is no attendant before they accept (Z-05, T-14, D-03)", async () => {
    await aConnection(company);
    const [queue, contact] = [await aQueue(company), await aContact(company)];
    const { body: link } = await invite(company.admin, { name: "Ainda Não" });
    const admin = app.as(company.admin);
    const userId = link.user.id;
    const created = await admin.call(tickets.create, { body: { contactId: contact.id, userId } });
    expect(errorOf(created)).toEqual([404, "ERR_NO_USER_FOUND"]);

    const { body: ticket } = await admin.call(tickets.create, { body: { contactId: contact.id } });
    const transfer = { queueId: queue.id, userId };
    const handOver = () => admin.call(tickets.update, { params: { id: ticket.id }, body: transfer });
    const inBulk = () =>
      admin.call(ticketBulks.act, { body: { ticketIds: [ticket.id], act: { verb: "transfer", ...transfer } } });
    const attendants = async () => {
      const { body } = await admin.call(dashboard.figures, { query: { days: 1 } });
      return body.attendants.map(({ name }) => name);
    };
    expect(errorOf(await handOver())).toEqual([404, "ERR_NO_USER_FOUND"]);
    expect(errorOf(await inBulk())).toEqual([404, "ERR_NO_USER_FOUND"]);
    expect(await attendants()).not.toContain("Ainda Não");

    await accept(link.token, { name: "Ainda Não" });
    expect((await handOver()).body).toMatchObject({ status: "open", userId });
    expect(await attendants()).toContain("Ainda Não");
  });

  test("is told to colleagues when they accept, and to admins before (Z-05)", async () => {
    const own = await aCompany(app);
    const agent = await app.connect(await aUser(own));
    const admin = await app.connect(own.admin);
    const { body: link } = await invite(own.admin);
    const named = async () => {
      await app.settle();
      await Promise.all([agent.flushed(), admin.flushed()]);
      const isUser = ({ event }: { readonly event: string }) => event === `company-${own.id}-user`;
      return [agent, admin].map(({ packets }) => packets.filter(isUser).length);
    };
    expect(await named()).toEqual([0, 1]);
    await accept(link.token);
    expect(await named()).toEqual([1, 2]);
  });

  test.each([
    ["name", { name: "B" }],
    ["password", { password: "1234" }],
  ])("meets the rules of a user for the %s, and may try again (Z-05, U-02)", async (field, wrong) => {
    const { body: link } = await invite();
    const refused = await accept(link.token, wrong);
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { details: { fields: { [field]: expect.any(String) } } },
    ]);
    expect((await accept(link.token)).status).toBe(200);
  });
});

describe("a link", () => {
  test("is used once, also by two at the same moment (Z-05)", async () => {
    const { body: link } = await invite();
    const tries = await Promise.all([
      accept(link.token, { password: "first" }),
      accept(link.token, { password: "second" }),
      accept(link.token, { password: "third" }),
    ]);
    expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const won = ["first", "second", "third"][tries.findIndex(({ status }) => status === 200)]!;
    expect((await signIn(link.user.email, won)).status).toBe(200);
    expect(errorOf(await accept(link.token))).toEqual([409, "ERR_INVITATION_USED"]);
    expect(errorOf(await open(link.token))).toEqual([409, "ERR_INVITATION_USED"]);
  });

  test("expires after seven days, and a new one works (Z-05)", async () => {
    const { body: link } = await invite();
    await after(days(7), async () => {
      expect(errorOf(await open(link.token))).toEqual([410, "ERR_INVITATION_EXPIRED"]);
      expect(errorOf(await accept(link.token))).toEqual([410, "ERR_INVITATION_EXPIRED"]);
    });
    const params = { id: link.user.id };
    const { body: renewed } = await app.as(company.admin).call(invitations.renew, { params });
    expect((await accept(renewed.token)).status).toBe(200);
  });

  test("is unknown after a new one, after the invitation is cancelled, and where it is forged: all the same (Z-05)", async () => {
    const { body: first } = await invite();
    const params = { id: first.user.id };
    const { body: second } = await app.as(company.admin).call(invitations.renew, { params });
    const refusals = [
      await open(first.token),
      await accept(first.token),
      await open("x"),
      await accept("A".repeat(43)),
    ];
    expect((await app.as(company.admin).call(invitations.cancel, { params })).status).toBe(200);
    refusals.push(await open(second.token), await accept(second.token));
    const said = refusals.map(({ status, body }) => [status, { ...(body as object), requestId: "" }]);
    expect(said).toEqual(said.map(() => said[0]));
    expect(errorOf(refusals[0]!)).toEqual(notFound);
    expect(errorOf(await app.as(company.admin).call(users.get, { params }))).toEqual([404, "ERR_NO_USER_FOUND"]);
  });

  test("is dead where its user was deleted, or was given a password by an admin (Z-05)", async () => {
    const [{ body: gone }, { body: given }] = [await invite(), await invite()];
    const admin = app.as(company.admin);
    await admin.call(users.remove, { params: { id: gone.user.id } });
    const { body } = await admin.call(users.update, {
      params: { id: given.user.id },
      body: { password: "set by hand" },
    });
    expect(body.invitation).toBeNull();
    expect(errorOf(await open(gone.token))).toEqual(notFound);
    expect(errorOf(await accept(given.token))).toEqual(notFound);
    expect((await signIn(given.user.email, "set by hand")).status).toBe(200);
  });

  test("ends where the e-mail is changed: it went to the former address (Z-05)", async () => {
    const { body: link } = await invite();
    const params = { id: link.user.id };
    await app.as(company.admin).call(users.update, { params, body: { email: newEmail() } });
    expect(errorOf(await accept(link.token))).toEqual([410, "ERR_INVITATION_EXPIRED"]);
    const { body: renewed } = await app.as(company.admin).call(invitations.renew, { params });
    expect((await accept(renewed.token)).status).toBe(200);
  });

  test("is dead while the company is switched off or overdue, and for good where it is deleted (Z-05, V-05)", async () => {
    const operator = await aCompany(app, { isOperator: true });
    const own = await aCompany(app);
    const { body: link } = await invite(own.admin);
    const params = { id: own.id };
    const change = (body: BodyIn<typeof companies.update>) =>
      app.as(operator.admin).call(companies.update, { params, body });
    await change({ status: false });
    expect(errorOf(await accept(link.token))).toEqual([403, "ERR_COMPANY_DISABLED"]);
    await change({ status: true, dueDate: "2020-01-31" });
    expect(errorOf(await open(link.token))).toEqual([403, "ERR_SUBSCRIPTION_EXPIRED"]);
    await change({ dueDate: null });
    expect((await open(link.token)).status).toBe(200);
    await app.as(operator.admin).call(companies.remove, { params });
    expect(errorOf(await accept(link.token))).toEqual([403, "ERR_COMPANY_DISABLED"]);
    await app.settle();
    expect(errorOf(await accept(link.token))).toEqual(notFound);
  });

  test("is stored as a hash, and is in no job and no event (Z-05)", async () => {
    const { body: link } = await invite();
    const { rows } = await sql<{ everything: string }>`
      select (select string_agg(row_to_json(i)::text, '') from invitations i)
        || coalesce((select string_agg(payload::text, '') from jobs), '')
        || coalesce((select string_agg(payload::text, '') from event_log), '') as everything`.execute(app.db.system);
    expect(rows[0]?.everything).toContain(hashSecret(link.token));
    expect(rows[0]?.everything).not.toContain(link.token);
    expect(Buffer.from(link.token, "base64url")).toHaveLength(32);
  });

  test("is in the address of its page only: that page sends no Referer (Z-05)", async () => {
    const page = await app.as(undefined).get("/convite/some-token", { accept: "text/html" });
    expect(page.headers["referrer-policy"]).toBe("no-referrer");
    const other = await app.as(undefined).get("/login", { accept: "text/html" });
    expect(other.headers["referrer-policy"]).toBe("same-origin");
  });

  test("can be guessed thirty times a minute from an address, which good links do not count for (Z-05)", async () => {
    const now = new Date();
    const clock = { now: () => now };
    const own = await createTestApp({ sameDatabaseAs: app, closeAfterTest: true, clock, env: { TRUST_PROXY: "on" } });
    const from = { "x-forwarded-for": "203.0.113.7" };
    const { body: link } = await invite();
    const post = (token: string, headers: Record<string, string>) =>
      own.as(undefined).post("/invitations/open", { token }, headers);
    for (let count = 0; count < 30; count += 1) {
      expect((await post("wrong", from)).status).toBe(404);
      expect((await post(link.token, { "x-forwarded-for": "203.0.113.8" })).status).toBe(200);
    }
    expect((await post("wrong", from)).status).toBe(429);
    expect((await post(link.token, from)).status).toBe(429);
    expect((await post(link.token, { "x-forwarded-for": "203.0.113.8" })).status).toBe(200);
  });
});

test("the link is mailed where a mail server is set, and its job keeps it sealed (Z-05)", async () => {
  const env = { SMTP_URL: "smtp://127.0.0.1:1", PUBLIC_URL: "https://prosa.example" };
  const mailing = await createTestApp({ closeAfterTest: true, env });
  const own = await aCompany(mailing, { name: "Loja Aurora" });
  const body = { email: "bia@example.com" };
  const { body: link } = await mailing.as(own.admin).call(invitations.create, { body });
  const { rows } = await sql<{ payload: Record<string, string> }>`
    select payload from jobs where task = 'mail.send'`.execute(mailing.db.system);
  const { to, subject, sealed = "", ...rest } = rows[0]!.payload;
  expect([link.isMailed, rows.length, to, subject, rest]).toEqual([
    true,
    1,
    body.email,
    "Convite para atender com Loja Aurora",
    {},
  ]);
  const text = mailing.services.vault.openText(sealed, "mail");
  expect(text).toContain(`https://prosa.example/convite/${link.token}`);
  expect(text).toContain("Admin convidou você");

  const { body: copied } = await invite();
  expect(copied.isMailed).toBe(false);

  // Mails are counted where one is sent: not for a request that is sent again, and not for one that is refused.
  const headers = { "idempotency-key": crypto.randomUUID() };
  const again = () => mailing.as(own.admin).post(invitations.create.path, { email: "caio@example.com" }, headers);
  expect((await Promise.all([again(), again(), again()])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await mailing.as(own.admin).call(invitations.create, { body })).status).toBe(409);
  const left = await readSharedTokens(mailing.services, `mail:invitations:${own.id}`, { max: 40, perSeconds: 3_600 });
  expect(left).toBeGreaterThanOrEqual(38);
});

describe("inviting", () => {
  test("is for admins: a stranger gets 401, an agent and a supervisor 403, another company 404 (Z-05, V-04)", async () => {
    const { body: link } = await invite();
    const params = { id: link.user.id };
    const calls = (who: TestUser | undefined) =>
      Promise.all([
        app.as(who).call(invitations.create, { body: { email: newEmail() } }),
        app.as(who).call(invitations.renew, { params }),
        app.as(who).call(invitations.cancel, { params }),
      ]).then((answers) => answers.map(({ status }) => status));
    expect(await calls(undefined)).toEqual([401, 401, 401]);
    expect(await calls(await aUser(company))).toEqual([403, 403, 403]);
    expect(await calls(await aUser(company, { profile: "supervisor" }))).toEqual([403, 403, 403]);
    expect((await calls((await aCompany(app)).admin)).slice(1)).toEqual([404, 404]);
    expect((await open(link.token)).status).toBe(200);
  });

  test("makes nobody an operator, and gives no link to who signs in already, whatever their rank (Z-05, V-04)", async () => {
    const chief = await aCompany(app, { isOperator: true });
    const admin = await aUser(chief, { profile: "admin" });
    const { body: link } = await invite(admin, { profile: "admin", super: true, isSuper: true } as object);
    expect(link.user).toMatchObject({ profile: "admin", super: false });
    for (const { userId: id } of [chief.admin, admin, await aUser(chief)]) {
      const renewed = await app.as(admin).call(invitations.renew, { params: { id } });
      expect(renewed.status).toBeGreaterThanOrEqual(403);
      expect((await app.as(admin).call(invitations.cancel, { params: { id } })).status).toBeGreaterThanOrEqual(403);
    }
    const settled = await app.as(admin).call(invitations.renew, { params: { id: admin.userId } });
    expect(errorOf(settled)).toEqual([409, "ERR_USER_NOT_INVITED"]);
  });

  test("counts for the plan's limit, also when two invite at once, until the invitation is cancelled (Z-05, Y-05)", async () => {
    const small = await aCompany(app, { limit: 2 });
    const tries = await Promise.all([invite(small.admin), invite(small.admin), invite(small.admin)]);
    expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403]);
    const { body: link } = tries.find(({ status }) => status === 200)!;
    await app.as(small.admin).call(invitations.cancel, { params: { id: link.user.id } });
    expect((await invite(small.admin)).status).toBe(200);
  });

  test("refuses an e-mail that is taken, and queues of another company (Z-05, U-02)", async () => {
    const queue = await aQueue(await aCompany(app));
    expect(errorOf(await invite(company.admin, { email: company.admin.email }))).toEqual([409, "ERR_EMAIL_TAKEN"]);
    expect(errorOf(await invite(company.admin, { queueIds: [queue.id] }))).toEqual([404, "ERR_NO_QUEUE_FOUND"]);
  });

  test("and cancelling while the link is used leaves a user who signs in, or none (Z-05)", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { body: link } = await invite();
      const params = { id: link.user.id };
      const [accepted, cancelled] = await Promise.all([
        accept(link.token),
        app.as(company.admin).call(invitations.cancel, { params }),
      ]);
      const there = await signIn(link.user.email, "segredo");
      expect([accepted.status, cancelled.status, there.status]).toSatisfy((all: number[]) =>
        ["200,409,200", "404,200,401", "401,200,401"].includes(all.join()),
      );
    }
  });
});
