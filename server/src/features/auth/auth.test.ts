import { verify } from "@node-rs/argon2";
import type * as Argon2 from "@node-rs/argon2";
import { sessionRules } from "@prosa/contract";
import type { SessionUser } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestResponse, TestApp } from "#server/testing/app.ts";
import { pruneSessions } from "./auth.service.ts";
import { aCompany, aQueue, aUser, testPassword } from "#server/testing/factories.ts";

vi.mock("@node-rs/argon2", async (importOriginal) => {
  const library = await importOriginal<typeof Argon2>();
  return { ...library, verify: vi.fn<typeof verify>(library.verify) };
});

const clock = createMovedClock("2026-03-02T15:00:00Z");
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock });
});
afterAll(() => app.close());

interface SignedIn {
  readonly token: string;
  readonly user: SessionUser;
}
const nobody = () => app.as(undefined);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const withCookie = (cookie: string) => ({ cookie: `${sessionRules.refreshCookie}=${cookie}` });
const cookieIn = (answer: TestResponse) => answer.cookies[sessionRules.refreshCookie] ?? "";

function signIn(email: string, password = testPassword): Promise<TestResponse<SignedIn>> {
  return nobody().post<SignedIn>("/auth/login", { email, password });
}

function refresh(cookie: string): Promise<TestResponse<SignedIn>> {
  return nobody().post<SignedIn>("/auth/refresh_token", undefined, withCookie(cookie));
}

describe("signing in", () => {
  test("the answer carries the token, the user with company, settings and queues, and the cookie (A-02)", async () => {
    const company = await aCompany(app, { dueDate: "2026-12-31" });
    const queue = await aQueue(company, { name: "Vendas" });
    const agent = await aUser(company, { queues: [queue], name: "Ana" });

    const answer = await signIn(agent.email.toUpperCase());

    expect(answer.status).toBe(200);
    const { user, token } = answer.body;
    expect(user).toMatchObject({
      id: agent.userId,
      name: "Ana",
      email: agent.email,
      profile: "user",
      super: false,
      companyId: company.id,
      company: { name: company.name, dueDate: "2026-12-31" },
      queues: [
        { id: queue.id, name: "Vendas", color: queue.color, UserQueue: { userId: agent.userId, queueId: queue.id } },
      ],
      permissions: [],
    });
    expect(user.company.settings).toContainEqual({ key: "userRating", value: "disabled" });
    expect(user.company.plan?.useKanban).toBe(true);
    expect(String(answer.headers["set-cookie"])).toMatch(/^jrt=[^;]+; .*Path=\/;.*HttpOnly; SameSite=Lax$/);
    expect((await nobody().get("/settings", bearer(token))).status).toBe(200);
  });

  test("behind https the cookie is Secure (A-02)", async () => {
    const company = await aCompany(app);
    const behind = await createTestApp({
      sameDatabaseAs: app,
      env: { PUBLIC_URL: "https://desk.example" },
      closeAfterTest: true,
    });
    const { admin } = company;
    const answer = await behind.as(undefined).post("/auth/login", { email: admin.email, password: testPassword });
    expect(String(answer.headers["set-cookie"])).toMatch(/; Secure/);
  });

  test("a wrong password and an unknown account are the same 401 and cost the same work (A-02, A-11)", async () => {
    const { admin } = await aCompany(app);
    for (const email of [admin.email, "nobody@example.com"]) {
      vi.mocked(verify).mockClear();
      const answer = await signIn(email, "wrong password");
      expect([answer.status, answer.body]).toMatchObject([401, { error: "ERR_INVALID_CREDENTIALS" }]);
      // argon2 takes nearly all of the time: without it an unknown account would answer ten times faster
      expect(verify).toHaveBeenCalledOnce();
    }
  });

  test("attempts are limited per account, also when they come at once, and a success forgives (A-11)", async () => {
    const { admin } = await aCompany(app);
    const tries = await Promise.all(Array.from({ length: 14 }, () => signIn(admin.email, "wrong password")));
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);

    clock.advance({ minutes: 5 });
    expect((await signIn(admin.email)).status).toBe(200);
    expect((await signIn(admin.email, "wrong password")).status).toBe(401);
  });

  test("attempts are limited per address, whatever the account (A-11)", async () => {
    clock.advance({ minutes: 5 });
    const tries = await Promise.all(
      Array.from({ length: 33 }, (_, n) => signIn(`somebody${n}@example.com`, "wrong password")),
    );
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(3);
    clock.advance({ minutes: 5 });
  });

  test("an address that keeps sending invalid cookies is rate-limited, a signed-in browser is not signed out (A-05)", async () => {
    const { admin } = await aCompany(app);
    const cookie = cookieIn(await signIn(admin.email));
    for (let tries = 0; tries < 299; tries += 1) {
      expect((await refresh("junk")).status).toBe(401);
    }
    const renewed = await refresh(cookie);
    expect(renewed.status).toBe(200);
    expect((await refresh("junk")).status).toBe(401);

    const refused = await refresh("junk");
    expect([refused.status, refused.body]).toMatchObject([429, { error: "ERR_TOO_MANY_REQUESTS" }]);
    expect(Number(refused.headers["retry-after"])).toBe(1);
    // nobody's cookie is taken away by a 429, and without one there is nothing to count
    expect(refused.headers["set-cookie"]).toBeUndefined();
    expect((await nobody().post("/auth/refresh_token")).status).toBe(401);

    clock.advance({ minutes: 1 });
    expect((await refresh(cookieIn(renewed))).status).toBe(200);
  });

  test("a disabled company is closed to everybody, at once", async () => {
    const company = await aCompany(app);
    await app.db.system.updateTable("companies").set({ is_active: false }).where("id", "=", company.id).execute();
    const answer = await signIn(company.admin.email);
    expect([answer.status, answer.body]).toMatchObject([403, { error: "ERR_COMPANY_DISABLED" }]);
  });
});

describe("a company that has not paid (A-03)", () => {
  test("its agents read when it ended; the day counts by the company's clock", async () => {
    const company = await aCompany(app, { dueDate: "2026-03-02" });
    const agent = await aUser(company);
    clock.set("2026-03-03T02:59:00Z"); // 23:59 of the last day in São Paulo
    expect((await signIn(agent.email)).status).toBe(200);

    clock.set("2026-03-03T03:00:00Z");
    const answer = await signIn(agent.email);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      error: "ERR_SUBSCRIPTION_EXPIRED",
      message: "Opss! Sua assinatura venceu 02/03/2026. Entre em contato com o Suporte para mais informações!",
    });
  });

  test.each([
    ["America/Manaus", "2026-03-03T03:59:59Z", "2026-03-03T04:00:00Z"],
    ["Asia/Tokyo", "2026-03-02T14:59:59Z", "2026-03-02T15:00:00Z"],
  ])(
    "whoever is at work in %s is let on until the last day is over there, and reads that day",
    async (zone, at, after) => {
      clock.set("2026-03-02T01:00:00Z");
      const company = await aCompany(app, { dueDate: "2026-03-02", timeZone: zone });
      const call = () => app.as(company.admin).get("/queue");
      clock.set(at);
      expect((await call()).status).toBe(200);
      clock.set(after);
      expect(await call()).toMatchObject({
        status: 403,
        body: { error: "ERR_SUBSCRIPTION_EXPIRED", details: { dueDate: "2026-03-02" } },
      });
    },
  );

  test("its admin signs in, but may only call what serves paying", async () => {
    const company = await aCompany(app, { dueDate: "2026-03-01" });
    clock.set("2026-03-03T03:00:00Z");
    const { status, body } = await signIn(company.admin.email);
    expect(status).toBe(200);
    expect((await nobody().get(`/companies/listPlan/${company.id}`, bearer(body.token))).status).toBe(200);
    const refused = await nobody().get("/queue", bearer(body.token));
    expect([refused.status, refused.body]).toMatchObject([403, { error: "ERR_SUBSCRIPTION_EXPIRED" }]);
  });
});

describe("renewing", () => {
  test("each refresh gives another cookie, and the new one goes on (A-05)", async () => {
    const { admin } = await aCompany(app);
    const first = await signIn(admin.email);
    const second = await refresh(cookieIn(first));
    expect(second.status).toBe(200);
    expect(second.body.user.id).toBe(admin.userId);
    expect(cookieIn(second)).not.toBe(cookieIn(first));

    clock.advance({ minutes: 14 });
    const third = await refresh(cookieIn(second));
    expect(third.status).toBe(200);
    expect((await nobody().get("/auth/me", bearer(third.body.token))).status).toBe(200);
  });

  test("a reused cookie ends the session, also for the holder of the new one (A-05)", async () => {
    const { admin } = await aCompany(app);
    const first = cookieIn(await signIn(admin.email));
    const second = await refresh(first);
    clock.advance({ seconds: 31 });

    const stolen = await refresh(first);
    expect([stolen.status, stolen.body]).toMatchObject([
      401,
      { error: "ERR_NOT_SIGNED_IN", details: { reason: "reused" } },
    ]);
    expect((await refresh(cookieIn(second))).status).toBe(401);
    expect((await nobody().get("/settings", bearer(second.body.token))).status).toBe(401);
  });

  test("a cookie of two rotations ago is known as old, however soon it comes (A-05)", async () => {
    const { admin } = await aCompany(app);
    const first = cookieIn(await signIn(admin.email));
    const second = cookieIn(await refresh(first));
    const third = cookieIn(await refresh(second));
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(third)).status).toBe(401);
  });

  test("two tabs that refresh at once, or a lost answer, end with the same cookie (A-05)", async () => {
    const { admin } = await aCompany(app);
    const first = cookieIn(await signIn(admin.email));
    const [a, b] = await Promise.all([refresh(first), refresh(first)]);
    expect([a.status, b.status]).toEqual([200, 200]);
    expect(cookieIn(a)).toBe(cookieIn(b));

    clock.advance({ minutes: 10 });
    expect((await refresh(cookieIn(b))).status).toBe(200);
  });

  test("a foreign, changed or missing cookie is 401, and is cleared in the browser (A-05)", async () => {
    const { admin } = await aCompany(app);
    const good = cookieIn(await signIn(admin.email));
    for (const bad of ["nonsense", `${good}x`, `x${good}`]) {
      const answer = await refresh(bad);
      expect(answer.status).toBe(401);
      expect(String(answer.headers["set-cookie"])).toMatch(/^jrt=; .*Expires=Thu, 01 Jan 1970/);
    }
    expect((await nobody().post("/auth/refresh_token")).status).toBe(401);
    expect((await refresh(good)).status).toBe(200);
  });

  test("after seven quiet days the session is over (A-05)", async () => {
    const { admin } = await aCompany(app);
    const first = cookieIn(await signIn(admin.email));
    clock.advance({ days: 7, seconds: 1 });
    expect((await refresh(first)).status).toBe(401);
  });
});

describe("me and signing out", () => {
  test("me answers from the token, or from the cookie where there is none (A-06)", async () => {
    const { admin } = await aCompany(app);
    const session = await signIn(admin.email);
    const byToken = await nobody().get<SessionUser>("/auth/me", bearer(session.body.token));
    const byCookie = await nobody().get<SessionUser>("/auth/me", withCookie(cookieIn(session)));
    expect([byToken.body.id, byCookie.body.id]).toEqual([admin.userId, admin.userId]);
    expect((await nobody().get("/auth/me")).status).toBe(401);

    clock.advance({ minutes: 16 });
    const expired = await nobody().get("/auth/me", bearer(session.body.token));
    expect([expired.status, expired.body]).toMatchObject([403, { error: "ERR_SESSION_EXPIRED" }]);
  });

  test("the key of the browser's store is the session's: the same over refreshes, another at the next sign-in (Z-06)", async () => {
    const { admin } = await aCompany(app);
    const keyWith = async (token: string) =>
      (await nobody().get<{ key: string }>("/auth/store-key", bearer(token))).body.key;
    const first = await signIn(admin.email);
    const key = await keyWith(first.body.token);

    expect(Buffer.from(key, "base64url")).toHaveLength(32);
    expect(await keyWith((await refresh(cookieIn(first))).body.token)).toBe(key);
    expect(await keyWith((await signIn(admin.email)).body.token)).not.toBe(key);
    expect((await nobody().get("/auth/store-key")).status).toBe(401);
  });

  test("after signing out neither token nor cookie works (A-06)", async () => {
    const { admin } = await aCompany(app);
    const session = await signIn(admin.email);
    expect((await nobody().get("/settings", bearer(session.body.token))).status).toBe(200);

    expect((await nobody().delete("/auth/logout", undefined, withCookie(cookieIn(session)))).status).toBe(200);

    expect((await nobody().get("/settings", bearer(session.body.token))).status).toBe(401);
    expect((await refresh(cookieIn(session))).status).toBe(401);
    expect((await nobody().delete("/auth/logout")).status).toBe(200);
  });
});

describe("the same account elsewhere (A-07)", () => {
  test("the first browser is told and its session is over; the second goes on", async () => {
    const company = await aCompany(app);
    const agent = await aUser(company);
    const colleague = await aUser(company);
    const first = await app.connect(agent);
    const bystander = await app.connect(colleague);

    const second = await signIn(agent.email);
    await app.settle();

    const { payload } = await first.next(`company-${company.id}-auth`);
    expect(payload).toMatchObject({ action: "update", user: { id: agent.userId } });
    expect((await app.as(agent).get("/settings")).status).toBe(401);
    expect((await nobody().get("/settings", bearer(second.body.token))).status).toBe(200);

    await bystander.flushed();
    expect(bystander.packets.map(({ event }) => event)).not.toContain(`company-${company.id}-auth`);
    first.close();
    bystander.close();
  });

  test("of two sign-ins at once one session is left", async () => {
    const { admin } = await aCompany(app);
    const both = await Promise.all([signIn(admin.email), signIn(admin.email)]);
    await app.settle();
    const statuses = await Promise.all(both.map(({ body }) => nobody().get("/settings", bearer(body.token))));
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });
});

test("a job that the release before left in the queue still ends the sessions of a new password, but one (A-07)", async () => {
  const company = await aCompany(app);
  const [agent, other] = [await aUser(company), await aUser(company)];
  const enqueue = (payload: { readonly userId: number; readonly except: string | null }) =>
    company.inside(async (ctx) => ctx.enqueue({ task: "auth.end-sessions", payload, maxAttempts: 20 }));
  await enqueue({ userId: agent.userId, except: agent.sessionId });
  await enqueue({ userId: other.userId, except: null });
  await app.settle();
  expect((await app.as(agent).get("/settings")).status).toBe(200);
  expect((await app.as(other).get("/settings")).status).toBe(401);
  const { rows } = await sql`select from jobs where task = 'auth.end-sessions'`.execute(app.db.system);
  expect(rows).toEqual([]);
});

test("sessions that ended a month ago are forgotten", async () => {
  const { admin } = await aCompany(app);
  await app.as(admin).delete("/auth/logout");
  clock.advance({ days: 40 });
  await pruneSessions(app.db, clock.now());
  const left = await app.db.system.selectFrom("sessions").select("id").where("user_id", "=", admin.userId).execute();
  expect(left).toEqual([]);
});
