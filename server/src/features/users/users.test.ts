import { users } from "@prosa/contract";
import type { UserChanges } from "@prosa/contract";
import { openSession } from "#server/features/auth/index.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aQueue, aUser, testPassword } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";
import type { TestSocket } from "#server/testing/socket.ts";

let app: TestApp;
let company: TestCompany;
beforeAll(async () => {
  app = await createTestApp();
  company = await aCompany(app);
});
afterAll(() => app.close());

const newUser = (email: string) => ({ body: { name: "Bia Souza", email, password: "secret" } });

describe("admins", () => {
  test("search users by name or e-mail, accents ignored (U-01)", async () => {
    const own = await aCompany(app);
    await aUser(own, { name: "João Prado", email: "jp@example.com" });
    await aUser(own, { name: "Zeca", email: "zeca@prado.example" });
    await aUser(own, { name: "Ana" });
    const { body } = await app.as(own.admin).call(users.list, { query: { searchParam: "PRADO", pageNumber: 1 } });
    expect([body.count, body.hasMore, body.users.map(({ name }) => name)]).toEqual([2, false, ["João Prado", "Zeca"]]);
    const again = await app.as(own.admin).call(users.list, { query: { searchParam: "joao" } });
    expect(again.body.users.map(({ name }) => name)).toEqual(["João Prado"]);
  });

  test("add a user with queues and a connection, who can then sign in (U-01, U-02)", async () => {
    const queue = await aQueue(company);
    const connection = await aConnection(company);
    const made = await app.as(company.admin).call(users.create, {
      body: {
        ...newUser("bia@example.com").body,
        profile: "supervisor",
        allTicket: "enabled",
        whatsappId: connection.id,
        queueIds: [queue.id],
      },
    });
    expect([made.status, made.body]).toMatchObject([
      200,
      {
        name: "Bia Souza",
        profile: "supervisor",
        allTicket: "enabled",
        whatsappId: connection.id,
        queues: [{ id: queue.id }],
      },
    ]);
    const signedIn = await app.as(undefined).post("/auth/login", { email: "bia@example.com", password: "secret" });
    expect(signedIn.status).toBe(200);
  });

  test("an e-mail is used once, over all companies (U-02)", async () => {
    await app.as(company.admin).call(users.create, newUser("once@example.com"));
    const other = await aCompany(app);
    const again = await app.as(other.admin).call(users.create, newUser("ONCE@example.com"));
    expect([again.status, again.body]).toMatchObject([409, { error: "ERR_EMAIL_TAKEN" }]);
  });

  test("the plan's limit holds, also when two add at once (U-02, Y-05)", async () => {
    const small = await aCompany(app, { limit: 2 });
    const tries = await Promise.all(
      ["a", "b", "c"].map((name) => app.as(small.admin).call(users.create, newUser(`${name}@limit.example`))),
    );
    expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403]);
    expect(tries.find(({ status }) => status === 403)?.body).toMatchObject({ error: "ERR_PLAN_LIMIT" });
  });

  test("two who change an agent's queues at the same instant are both answered (U-01)", async () => {
    const chosen = [await aQueue(company), await aQueue(company)].map(({ id }) => id);
    const admin = app.as(company.admin);
    for (let round = 0; round < 5; round += 1) {
      const { userId: id } = await aUser(company);
      const save = (queueIds: number[]) => admin.call(users.update, { params: { id }, body: { queueIds } });
      const answers = await Promise.all([save(chosen), save(chosen.toReversed()), save(chosen.slice(0, 1))]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  test("queues and connections of another company are not given (U-02)", async () => {
    const foreign = await aCompany(app);
    const [queue, connection] = [await aQueue(foreign), await aConnection(foreign)];
    const body = { ...newUser("foreign@example.com").body, queueIds: [queue.id] };
    const made = await app.as(company.admin).call(users.create, { body });
    expect([made.status, made.body]).toMatchObject([404, { error: "ERR_NO_QUEUE_FOUND" }]);
    const { userId: id } = await aUser(company);
    const change = (wish: object) => app.as(company.admin).call(users.update, { params: { id }, body: wish });
    expect(await change({ queueIds: [queue.id] })).toMatchObject({ status: 404 });
    const refused = await change({ whatsappId: connection.id });
    expect([refused.status, refused.body]).toMatchObject([404, { error: "ERR_NO_WAPP_FOUND" }]);
  });

  test.each([
    [{ name: "B" }, "name"],
    [{ password: "1234" }, "password"],
    [{ email: "nobody" }, "email"],
  ])("%o is refused by the rules of the form (U-02, E-03)", async (wrong, field) => {
    const body = { ...newUser("rules@example.com").body, ...wrong };
    const answer = await app.as(company.admin).call(users.create, { body });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error: "ERR_VALIDATION", details: { fields: { [field]: expect.any(String) } } },
    ]);
  });

  test("a new password signs the user out everywhere; an empty one is no change (U-02)", async () => {
    const agent = await aUser(company);
    const put = (password: string) =>
      app.as(company.admin).call(users.update, { params: { id: agent.userId }, body: { name: "Other", password } });
    await put("");
    await app.settle();
    expect((await app.as(agent).get("/settings")).status).toBe(200);

    const socket = await app.connect(agent);
    const isCut = new Promise((resolve) => socket.io.once("disconnect", resolve));
    await put("another one");
    // at once: no job and no event has run
    expect((await app.as(agent).get("/settings")).status).toBe(401);
    await app.settle();
    await isCut;
    const old = await app.as(undefined).post("/auth/login", { email: agent.email, password: testPassword });
    const now = await app.as(undefined).post("/auth/login", { email: agent.email, password: "another one" });
    expect([old.status, now.status]).toEqual([401, 200]);
  });

  test("a deleted user, or one with a new password, is signed out with the change, cookie and token alike (U-02, U-05)", async () => {
    for (const change of ["password", "delete"]) {
      const { userId: id, email } = await aUser(company);
      const { body, cookies } = await app
        .as(undefined)
        .post<{ token: string }>("/auth/login", { email, password: testPassword });
      const now = () =>
        Promise.all([
          app.as(undefined).get("/settings", { authorization: `Bearer ${body.token}` }),
          app.as(undefined).post("/auth/refresh_token", undefined, { cookie: `jrt=${cookies["jrt"]}` }),
          sql`select from sessions where user_id = ${id} and ended_at is null`.execute(app.db.system),
        ]);
      const admin = app.as(company.admin);
      const answer = await (change === "delete"
        ? admin.call(users.remove, { params: { id } })
        : admin.call(users.update, { params: { id }, body: { password: "another one" } }));
      expect([change, answer.status]).toEqual([change, 200]);
      const [token, cookie, live] = await now();
      expect([change, token.status, cookie.status, live.rows]).toEqual([change, 401, 401, []]);
    }
  });

  test("rights that were taken away are gone with the event, in HTTP and on the socket (U-01)", async () => {
    const supervisor = await aUser(company, { profile: "supervisor" });
    const caller = app.as(supervisor);
    const made = await caller.post("/tags", { name: "Lane", color: "#123456", kanban: 1 });
    expect(made.status).toBe(200);
    await app.as(company.admin).call(users.update, { params: { id: supervisor.userId }, body: { profile: "user" } });
    await app.settle();
    expect((await caller.post("/tags", { name: "Lane 2", color: "#123456", kanban: 1 })).status).toBe(403);
  });
});

describe("everybody else", () => {
  test("edits their own name, e-mail and password, sending the whole form back (U-03, S-10)", async () => {
    const queue = await aQueue(company);
    const agent = await aUser(company, { queues: [queue] });
    const body = {
      name: "New Name",
      email: agent.email,
      password: "",
      profile: "user" as const,
      allTicket: "desabled" as const,
      whatsappId: null,
      queueIds: [queue.id],
    };
    const answer = await app.as(agent).call(users.update, { params: { id: agent.userId }, body });
    expect([answer.status, answer.body.name]).toEqual([200, "New Name"]);
  });

  test.each([[{ profile: "admin" }], [{ allTicket: "enabled" }], [{ queueIds: [] }]] as const)(
    "may not change %o of themselves (U-03)",
    async (change) => {
      const agent = await aUser(company, { queues: [await aQueue(company)] });
      const answer = await app.as(agent).put(`/users/${agent.userId}`, change);
      expect([answer.status, answer.body]).toMatchObject([403, { error: "ERR_NO_PERMISSION" }]);
    },
  );

  test("keeps the browser in which they changed their password (S-10)", async () => {
    const agent = await aUser(company);
    const body = { password: "newpass", currentPassword: testPassword };
    expect((await app.as(agent).call(users.update, { params: { id: agent.userId }, body })).status).toBe(200);
    await app.settle();
    expect((await app.as(agent).get("/settings")).status).toBe(200);
  });

  test("needs the current password for a new one, tried a few times only; an admin does not for others (S-10)", async () => {
    const agent = await aUser(company);
    const change = (by: TestUser, body: UserChanges) =>
      app.as(by).call(users.update, { params: { id: agent.userId }, body: { password: "newpass", ...body } });
    expect(await change(agent, {})).toMatchObject({
      status: 400,
      body: { error: "ERR_VALIDATION", details: { fields: { currentPassword: "Required" } } },
    });
    const wrong = await Promise.all(Array.from({ length: 14 }, () => change(agent, { currentPassword: "guessed" })));
    expect(wrong.filter(({ body }) => (body as { error?: string }).error === "ERR_WRONG_PASSWORD")).toHaveLength(10);
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(4);
    expect((await change(company.admin, {})).status).toBe(200);
  });

  test("needs the current password for a new e-mail of their own; an admin does not for others' (S-10)", async () => {
    const agent = await aUser(company);
    const change = (by: TestUser, body: UserChanges) =>
      app.as(by).call(users.update, { params: { id: agent.userId }, body });
    const email = `new-${agent.email}`;
    expect(await change(agent, { email, name: "New Name" })).toMatchObject({
      status: 400,
      body: { error: "ERR_VALIDATION", details: { fields: { currentPassword: "Required" } } },
    });
    expect(await change(agent, { email, currentPassword: "guessed" })).toMatchObject({
      status: 400,
      body: { error: "ERR_WRONG_PASSWORD" },
    });
    // what is there already is no change, however it is written
    const same = { name: "New Name", email: agent.email.toUpperCase(), password: "", currentPassword: "" };
    expect(await change(agent, same)).toMatchObject({ status: 200, body: { name: "New Name", email: agent.email } });

    expect(await change(agent, { email, currentPassword: testPassword })).toMatchObject({
      status: 200,
      body: { email },
    });
    expect(await change(company.admin, { email: agent.email })).toMatchObject({ status: 200 });
    // an admin is no exception to their own
    const chief = await aUser(company, { profile: "admin" });
    const own = { params: { id: chief.userId }, body: { email: `new-${chief.email}` } };
    expect((await app.as(chief).call(users.update, own)).status).toBe(400);
  });

  test("a sign-in that compared the old password while the new one was saved opens no session (A-01)", async () => {
    const agent = await aUser(company);
    const account = { id: agent.userId, company_id: company.id, password_hash: "of the old one" };
    const late = openSession(app.services, account, { address: "127.0.0.1", userAgent: "test" });
    await expect(late).rejects.toMatchObject({ code: "ERR_INVALID_CREDENTIALS" });
    expect((await app.as(agent).get("/settings")).status).toBe(200);
  });

  test("neither reads, adds nor deletes others; another company does not find them (U-01)", async () => {
    const [agent, colleague] = [await aUser(company), await aUser(company)];
    const stranger = await aCompany(app);
    const caller = app.as(agent);
    expect((await caller.call(users.get, { params: { id: colleague.userId } })).status).toBe(403);
    expect((await caller.put(`/users/${colleague.userId}`, { name: "Hacked" })).status).toBe(403);
    expect((await caller.call(users.create, newUser("x@example.com"))).status).toBe(403);
    expect((await caller.call(users.remove, { params: { id: colleague.userId } })).status).toBe(403);
    for (const call of [
      app.as(stranger.admin).get(`/users/${agent.userId}`),
      app.as(stranger.admin).put(`/users/${agent.userId}`, { name: "Hacked" }),
      app.as(stranger.admin).delete(`/users/${agent.userId}`),
    ]) {
      expect((await call).status).toBe(404);
    }
    expect((await app.as(undefined).call(users.lookup)).status).toBe(401);
  });

  test("sees colleagues in a picker, without their e-mail", async () => {
    const own = await aCompany(app);
    const agent = await aUser(own, { name: "Zoe" });
    const { body } = await app.as(agent).call(users.lookup);
    expect(body.map(({ name }) => name)).toEqual(["Admin", "Zoe"]);
    expect(Object.keys(body[0] ?? {}).toSorted()).toEqual(["id", "name", "online", "profile", "queues"]);
  });
});

describe("what a colleague learns of a user", () => {
  const colleagueFields = ["id", "name", "online", "profile", "queues"];
  const fieldsOf = (record: unknown) => Object.keys(record as object).toSorted();

  test("pages and search of GET /users, with the fields of /users/list; an admin gets whole users (U-01)", async () => {
    const own = await aCompany(app);
    const agent = await aUser(own, { name: "Zoe", email: "secret-zoe@example.com" });
    await Promise.all(Array.from({ length: 21 }, (_, at) => aUser(own, { name: `Agent ${at}` })));
    const page = (query: object) => app.as(agent).call(users.list, { query });
    const [first, second] = [await page({}), await page({ pageNumber: 2 })];
    expect([first.body.users.length, first.body.count, first.body.hasMore]).toEqual([20, 23, true]);
    expect([second.body.users.length, second.body.hasMore]).toEqual([3, false]);
    [...first.body.users, ...second.body.users].forEach((user) => expect(fieldsOf(user)).toEqual(colleagueFields));
    expect((await page({ searchParam: "ZOE" })).body.users.map(({ name }) => name)).toEqual(["Zoe"]);
    // An e-mail is not found out by searching for it.
    expect((await page({ searchParam: "secret-zoe@example.com" })).body).toMatchObject({ users: [], count: 0 });

    const whole = await app.as(own.admin).call(users.list, { query: { searchParam: "secret-zoe" } });
    const one = await app.as(own.admin).call(users.get, { params: { id: agent.userId } });
    expect(whole.body.users).toEqual([one.body]);
    expect(one.body).toMatchObject({ email: "secret-zoe@example.com", companyId: own.id });
  });

  test("events carry the whole user to admins and to that user, and no e-mail or right to anybody else (N-04, N-06)", async () => {
    const own = await aCompany(app);
    const [agent, colleague] = [await aUser(own), await aUser(own, { profile: "supervisor" })];
    const stranger = await aCompany(app);
    const [admin, self, other, foreign] = [
      await app.connect(own.admin),
      await app.connect(agent),
      await app.connect(colleague),
      await app.connect(stranger.admin),
    ];
    const made = await app.as(own.admin).call(users.create, newUser("told@example.com"));
    const { body } = await app.as(own.admin).call(users.update, {
      params: { id: agent.userId },
      body: { name: "New Name", queueIds: [(await aQueue(own)).id] },
    });
    await app.settle();
    const told = async (socket: TestSocket) => {
      await socket.flushed();
      return socket.packets.filter(({ event }) => event.endsWith("-user")).map(({ payload }) => payload);
    };
    expect(await told(admin)).toEqual([
      { action: "create", user: made.body },
      { action: "update", user: expect.objectContaining({ ...body, online: expect.any(Boolean) }) },
    ]);
    const seen = (await told(self)) as { user: object }[];
    expect(seen.map(({ user }) => "email" in user)).toEqual([false, true]);
    const visible = (await told(other)) as { user: object }[];
    expect(visible.map(({ user }) => fieldsOf(user))).toEqual([colleagueFields, colleagueFields]);
    expect(await told(foreign)).toEqual([]);
    [admin, self, other, foreign].forEach((socket) => socket.close());
  });
});

describe("who is online (U-04)", () => {
  test("shows with the first socket, to everybody of the company, in an event of its own (N-04)", async () => {
    const own = await aCompany(app);
    const agent = await aUser(own);
    const watching = await app.connect(own.admin);
    const socket = await app.connect(agent);
    await app.product.realtime?.presence.heartbeat();
    await app.settle();
    const { body } = await app.as(own.admin).call(users.get, { params: { id: agent.userId } });
    expect(body.online).toBe(true);
    await watching.flushed();
    const told = (suffix: string) =>
      watching.packets.filter(({ event }) => event === `company-${own.id}-${suffix}`).map(({ payload }) => payload);
    expect(told("presence")).toContainEqual({ action: "update", user: { id: agent.userId, online: true } });
    expect(told("user")).toEqual([]);
    socket.close();
    watching.close();
  });
});
