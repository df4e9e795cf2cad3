import { apiKeys, audit, auth, companies, settings, support, tags, tickets, users } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feature as authFeature } from "#server/features/auth/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestResponse } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";

/** The operator as support: with the company's consent, for its time, and not for everything (V-01, decision 0225). */

const clock = createMovedClock(new Date("2026-11-25T12:00:00Z"));
const password = "prosa123";
let app: TestApp;
let operators: TestCompany;
beforeAll(async () => {
  app = await createTestApp({ clock });
  operators = await aCompany(app, { isOperator: true, name: "Operadora" });
});
afterAll(() => app.close());

const resultOf = ({ status, body }: TestResponse) => [status, (body as { error?: string }).error];
const refused = [403, "ERR_SUPPORT_REFUSED"];
const noPermission = [403, "ERR_NO_PERMISSION"];
const notAllowed = [403, "ERR_SUPPORT_NOT_ALLOWED"];

async function allow(company: TestCompany, hours: 1 | 4 | 24 | 168 = 1) {
  const { body } = await app.as(company.admin).call(support.allow, { body: { hours } });
  return body.grant!;
}

const enter = (operator: TestUser, company: TestCompany) =>
  app.as(operator).call(support.enter, { body: { companyId: company.id, password } });

/** A company, and the operator in it. */
async function entered(hours: 1 | 4 = 1) {
  const company = await aCompany(app);
  const operator = await anOperator();
  const grant = await allow(company, hours);
  const { body } = await enter(operator, company);
  const claims = (await app.services.tokens.verify(body.token))!;
  return { company, operator, grant, claims, inside: app.as(claims), user: body.user };
}

async function anOperator(): Promise<TestUser> {
  const person = await aUser(operators, { profile: "admin", name: "Olga da Operadora" });
  await sql`update users set is_super = true where id = ${person.userId}`.execute(app.db.system);
  app.services.sessions.forgetUser(person.userId);
  return person;
}

/** What the machinery does each minute. */
const endOver = () =>
  authFeature.crons!(app.services)
    .find(({ name }) => name === "support.end-over")!
    .run(undefined as never);

const actionsOf = async (company: TestCompany) => {
  const { body } = await app.as(company.admin).call(audit.list, {});
  return body.records.map(({ action, actorKind, userName, targetName }) => [action, actorKind, userName, targetName]);
};
test("the operator asks, an admin consents, and everybody concerned sees it (V-01)", async () => {
  const company = await aCompany(app);
  const agent = await aUser(company);
  const operator = await anOperator();
  const stateFor = async (who: TestUser) => (await app.as(who).call(support.state)).body;
  const listed = async () =>
    (await app.as(operator).call(companies.list, { query: { searchParam: company.name } })).body.companies[0]!.support;

  expect(resultOf(await enter(operator, company))).toEqual(notAllowed);
  const body = { companyId: company.id, reason: "A linha caiu" };
  expect((await app.as(operator).call(support.ask, { body })).body).toEqual({ state: "asked", until: null });
  expect(await listed()).toEqual({ state: "asked", until: null });
  expect((await stateFor(company.admin)).request).toMatchObject({ by: "Olga da Operadora", reason: "A linha caiu" });
  expect((await stateFor(agent)).request).toBeNull();
  expect(resultOf(await enter(operator, company))).toEqual(notAllowed);

  const grant = await allow(company, 4);
  expect(new Date(grant.until).getTime() - clock.now().getTime()).toBe(4 * 3_600_000);
  expect(await listed()).toEqual({ state: "allowed", until: grant.until });
  expect((await stateFor(company.admin)).request).toBeNull();
  const socket = await app.connect(agent);
  const inside = await enter(operator, company);
  expect(inside.body.user).toMatchObject({ companyId: company.id, super: false, profile: "admin", support: {} });
  await app.settle();
  expect((await socket.next(`company-${company.id}-support`)).payload).toEqual({ action: "changed" });
  socket.close();
  expect((await stateFor(agent)).present).toMatchObject([{ name: "Olga da Operadora" }]);

  // neither the admin's session nor the operator's own one ended, and nobody more is in the company's list
  expect((await app.as(company.admin).call(settings.list)).status).toBe(200);
  expect((await app.as(operator).call(companies.list, {})).status).toBe(200);
  expect((await app.as(company.admin).call(users.list, {})).body.count).toBe(2);
});

test("it looks and sets up, in the log under the operator's name, and can do nothing else (V-01)", async () => {
  const { company, operator, inside, claims, grant, user } = await entered();
  const line = await aConnection(company);
  const queue = await aQueue(company);
  const contact = await aContact(company, { name: "Ana", number: "5511988887777" });
  const { body: ticket } = await app.as(company.admin).call(tickets.create, {
    body: { contactId: contact.id, userId: company.admin.userId, status: "open" } as never,
  });
  for (const path of ["/tickets?showAll=true", "/contacts", "/users", "/settings", "/audit", `/tickets/${ticket.id}`]) {
    expect([path, (await inside.get(path)).status]).toEqual([path, 200]);
  }
  const { queues: seen, ...me } = (await inside.call(auth.me)).body;
  expect([{ ...me, queues: [] }, seen.map(({ id }) => id)]).toEqual([user, [queue.id]]);
  expect((await inside.call(tags.create, { body: { name: "VIP", color: "#aa0000" } })).status).toBe(200);
  expect((await inside.put("/settings/call", { value: "enabled" })).status).toBe(200);

  const { userId } = company.admin;
  const closed: readonly (readonly ["get" | "post" | "put" | "delete", string, object?])[] = [
    ["get", "/api-keys"],
    ["post", "/api-keys", { name: "Minha", scopes: ["contacts:read"] }],
    ["get", "/webhooks"],
    ["put", `/users/${userId}`, { password: "outra-senha-1" }],
    ["put", `/users/${userId}`, { email: "eu@example.com" }],
    ["delete", `/users/${userId}/two-factor`],
    ["post", "/users", { name: "Eu", email: "eu2@example.com", password: "outra-senha-1" }],
    ["post", "/users/invitations", { name: "Eu", email: "eu3@example.com" }],
    ["post", "/subscription", {}],
    ["post", "/contacts/1/erase", {}],
    ["post", "/contacts/1/export", {}],
    ["get", "/contacts/export"],
    ["get", "/audit/export"],
    ["post", `/messages/${ticket.id}`, { body: "Oi" }],
    ["put", `/tickets/${ticket.id}`, { status: "closed" }],
    ["post", "/chats", {}],
    ["put", "/settings/requireTwoFactor", { value: "disabled" }],
    ["put", "/settings/retentionDays", { value: "1" }],
    ["post", "/whatsapp", { name: "Nova", provider: "simulator", token: "um-token-meu-aqui" }],
    ["put", `/whatsapp/${line.id}`, { token: null }],
    ["post", "/queue", { name: "Caixa", color: "#00bb11", token: "um-token-meu-aqui" }],
    ["post", "/queue", { name: "Caixa", color: "#00bb11", retentionDays: 1 }],
    ["put", `/queue/${queue.id}`, { retentionDays: 1 }],
    ["put", `/queue/${queue.id}`, { token: null }],
    ["post", "/support/grants", { hours: 168 }],
    ["delete", `/support/grants/${grant.id}`],
    ["get", "/auth/sessions"],
  ];
  for (const [method, path, body] of closed) {
    const answer = method === "get" ? await inside.get(path) : await inside[method](path, body);
    expect([method, path, ...resultOf(answer)]).toEqual([method, path, ...refused]);
  }
  // a screen that asks again adds nothing to the log
  expect(resultOf(await inside.get("/api-keys"))).toEqual(refused);
  // the operator's own calls are not those of the company
  expect(resultOf(await inside.get("/companies"))).toEqual(noPermission);
  expect(resultOf(await inside.call(support.enter, { body: { companyId: company.id, password } }))).toEqual(
    noPermission,
  );
  // another company's rows are as far away as ever
  const neighbour = await aCompany(app);
  expect((await inside.get(`/users/${neighbour.admin.userId}`)).status).toBe(404);
  const moved = { ...claims, companyId: neighbour.id };
  expect((await app.as(moved).get("/settings")).status).toBe(401);

  await inside.call(support.leave);
  expect((await inside.get("/settings")).status).toBe(401);
  const log = (await app.as(company.admin).call(audit.list, {})).body.records.toReversed();
  const { name } = operator;
  // what was refused is written, too, with what was tried and why
  const tried = log.filter(({ action }) => action === "support.refused");
  expect(
    tried.map(({ actorKind, userName, details }) => [actorKind, userName, details["path"], details["error"]]),
  ).toEqual([
    ...closed.map(([, path]) => ["support", name, path, "ERR_SUPPORT_REFUSED"]),
    ["support", name, "/companies", "ERR_NO_PERMISSION"],
    ["support", name, "/support/enter", "ERR_NO_PERMISSION"],
  ]);
  expect(tried[0]).toMatchObject({ targetName: "GET /api-keys", address: "127.0.0.1" });
  const others = log.filter(({ action }) => !/^(session|connection|queue|support\.refused)/u.test(action)).toReversed();
  expect(others.map((entry) => [entry.action, entry.actorKind, entry.userName, entry.targetName])).toEqual([
    ["support.left", "support", name, name],
    ["support.acted", "support", name, "POST /support/leave"],
    // written before it is tried: what was refused by what it contained as well
    ["support.acted", "support", name, "PUT /queue/:id"],
    ["support.acted", "support", name, "PUT /queue/:id"],
    ["support.acted", "support", name, "POST /queue"],
    ["support.acted", "support", name, "POST /queue"],
    ["support.acted", "support", name, "PUT /whatsapp/:id"],
    ["support.acted", "support", name, "POST /whatsapp"],
    ["support.acted", "support", name, "PUT /settings/:key"],
    ["support.acted", "support", name, "PUT /settings/:key"],
    ["settings.updated", "support", name, "call"],
    ["support.acted", "support", name, "PUT /settings/:key"],
    ["support.acted", "support", name, "POST /tags"],
    ["support.entered", "support", name, name],
    ["support.allowed", "user", "Admin", "Admin"],
  ]);
  expect(await actionsOf(operators)).toContainEqual(["support.entered", "user", name, company.name]);
  const made = await company.inside((ctx) => ctx.db.selectFrom("tags").select("user_id").execute());
  expect(made).toEqual([{ user_id: null }]);
});

test("only an admin's own session consents, and only the operator's own session enters (V-01, V-04)", async () => {
  const company = await aCompany(app);
  const agent = await aUser(company);
  const supervisor = await aUser(company, { profile: "supervisor" });
  const operator = await anOperator();
  for (const person of [agent, supervisor]) {
    expect(resultOf(await app.as(person).call(support.allow, { body: { hours: 1 } }))).toEqual(noPermission);
  }
  expect((await app.as(company.admin).post("/support/grants", { hours: 5_000 })).status).toBe(400);
  const grant = await allow(company);
  expect(resultOf(await app.as(agent).call(support.end, { params: { id: grant.id } }))).toEqual(noPermission);
  const neighbour = await aCompany(app);
  expect((await app.as(neighbour.admin).call(support.end, { params: { id: grant.id } })).status).toBe(404);
  for (const person of [company.admin, neighbour.admin, agent]) {
    const body = { companyId: company.id, password };
    expect(resultOf(await app.as(person).call(support.enter, { body }))).toEqual(noPermission);
    expect(resultOf(await app.as(person).call(support.ask, { body: { companyId: company.id } }))).toEqual(noPermission);
  }
  const made = await app.as(operators.admin).call(apiKeys.create, {
    body: { name: "Chave", profile: "admin", scopes: ["company:write", "users:read"] },
  });
  const withKey = { authorization: `Bearer ${made.body.key}` };
  const enterBody = { companyId: company.id, password };
  expect(resultOf(await app.as(undefined).post("/support/enter", enterBody, withKey))).toEqual(noPermission);
  const theirs = await app.as(company.admin).call(apiKeys.create, {
    body: { name: "Chave", profile: "admin", scopes: ["company:write"] },
  });
  const ofCompany = { authorization: `Bearer ${theirs.body.key}` };
  expect(resultOf(await app.as(undefined).post("/support/grants", { hours: 1 }, ofCompany))).toEqual(noPermission);

  // a browser that the operator left open is not enough
  const without = { companyId: company.id };
  expect(resultOf(await app.as(operator).call(support.enter, { body: without }))).toEqual([
    400,
    "ERR_PASSWORD_REQUIRED",
  ]);
  const wrong = { ...without, password: "errada" };
  expect(resultOf(await app.as(operator).call(support.enter, { body: wrong }))).toEqual([400, "ERR_WRONG_PASSWORD"]);
  await sql`insert into second_factors (user_id, company_id, secret, created_at, confirmed_at, last_step)
    values (${operator.userId}, ${operator.companyId}, 'x', now(), now(), 0)`.execute(app.db.system);
  expect((await app.as(operator).call(support.enter, { body: without })).status).toBe(200);
  const own = { companyId: operators.id };
  expect(resultOf(await app.as(operator).call(support.enter, { body: own }))).toEqual(notAllowed);
});

test("it ends at once for requests and sockets: revoked, over, without rank, with the own session (V-01)", async () => {
  const ends: Readonly<Record<string, (stay: Awaited<ReturnType<typeof entered>>) => Promise<unknown>>> = {
    revoked: ({ company, grant }) => app.as(company.admin).call(support.end, { params: { id: grant.id } }),
    over: async () => clock.advance({ hours: 2 }),
    shortened: async ({ company }) => {
      await allow(company, 1);
      await app.settle();
      clock.advance({ minutes: 61 });
    },
    rankless: async ({ operator }) => {
      await sql`update users set is_super = false where id = ${operator.userId}`.execute(app.db.system);
      await app.as(operators.admin).put(`/users/${operator.userId}`, { name: "Olga S." });
    },
    "signed out": async ({ operator }) => app.as(operator).call(auth.logout),
    left: async ({ inside }) => inside.call(support.leave),
  };
  for (const [how, end] of Object.entries(ends)) {
    const stay = await entered(how === "shortened" ? 4 : 1);
    const { inside, claims, company } = stay;
    const socket = await app.connect(claims);
    const gone = new Promise((resolve) => void socket.io.on("disconnect", resolve));
    expect([how, (await inside.get("/tickets")).status]).toEqual([how, 200]);
    await end(stay);
    await app.settle();
    // a cached session is forgotten by the event
    expect([how, (await inside.get("/tickets")).status]).toEqual([how, 401]);
    // the sockets of a time that is over are closed before the next packet
    await app.as(company.admin).call(tags.create, { body: { name: `Depois ${how}`, color: "#00aa00" } });
    await app.settle();
    await gone;
    expect(socket.packets.filter(({ event }) => event === `company-${company.id}-tag`)).toEqual([]);
    await expect(app.connect(claims)).rejects.toThrow("ERR_NOT_SIGNED_IN");
    expect((await app.as(company.admin).call(settings.list)).status).toBe(200);
    await endOver();
    const lefts = (await actionsOf(company)).filter(([action]) => action === "support.left");
    expect([how, lefts.length]).toEqual([how, 1]);
  }
  // Presence: nobody was online but those who are of the company.
  const { rows } = await sql`select * from user_presence p join users u on u.id = p.user_id
    where p.company_id <> u.company_id`.execute(app.db.system);
  expect(rows).toEqual([]);
});

test("the own cookie renews a support session as long as it lasts, and then the own one (A-05, V-01)", async () => {
  const { email } = await anOperator();
  const signedIn = await app.as(undefined).call(auth.login, { body: { email, password } });
  const operator = { ...(await app.services.tokens.verify(signedIn.body.token))!, email, name: "" };
  const company = await aCompany(app);
  await allow(company, 1);
  await enter(operator, company);
  let cookie = signedIn.cookies["jrt"]!;
  const refresh = async () => {
    const answer = await app
      .as(undefined)
      .post<{ token: string; user: { companyId: number; support?: object } }>("/auth/refresh_token", undefined, {
        cookie: `jrt=${cookie}`,
      });
    cookie = answer.cookies["jrt"] ?? cookie;
    return answer.body;
  };
  const there = await refresh();
  expect([there.user.companyId, there.user.support === undefined]).toEqual([company.id, false]);
  const claims = (await app.services.tokens.verify(there.token))!;
  expect((await app.as(claims).get("/tickets")).status).toBe(200);
  clock.advance({ hours: 2 });
  expect((await app.as(claims).get("/tickets")).status).toBe(401);
  const home = await refresh();
  expect([home.user.companyId, home.user.support]).toEqual([operators.id, undefined]);
  // a second consent does not wake the first stay
  await allow(company, 1);
  expect((await app.as(claims).get("/tickets")).status).toBe(401);
  expect((await refresh()).user.companyId).toBe(operators.id);
});
