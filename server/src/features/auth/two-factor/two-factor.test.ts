import { invitations, twoFactor, users } from "@prosa/contract";
import type { OwnSession } from "@prosa/contract";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestResponse } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";

/** Two-factor sign-in and the list of one's sessions (V-03). */

let app: TestApp;
let company: TestCompany;
let later = 0;
const now = () => new Date(Date.now() + later);
beforeAll(async () => {
  app = await createTestApp({ clock: { now }, env: { TRUST_PROXY: "on" } });
  company = await aCompany(app);
});
afterAll(() => app.close());

let network = 0;
const newAddress = () => ({ "x-forwarded-for": `192.0.2.${(network = (network % 250) + 1)}` });
const guest = () => app.as(undefined);
const errorOf = ({ status, body }: TestResponse) => [status, (body as { error?: string }).error];
const password = "prosa123";
/** The code of an app now, or so many steps of 30 s away. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now().getTime() + steps * 30_000 });
/** To the next time step, because a code works once. */
const nextStep = () => (later += 30_000);

async function emailOf(user: TestUser): Promise<string> {
  return (await app.as(user).call(users.get, { params: { id: user.userId } })).body.email;
}
const signIn = async (email: string, given = password) =>
  guest().post<{ token: string; details: { ticket: string } }>("/auth/login", { email, password: given }, newAddress());
const ticketFor = async (email: string) => (await signIn(email)).body.details.ticket;
const second = (ticket: string, code: string) =>
  guest().post<{ token: string }>(twoFactor.signIn.path, { ticket, code }, newAddress());

/** A person with a second factor, still signed in. */
async function aGuarded(of = company, user?: TestUser) {
  const person = user ?? (await aUser(of));
  const me = app.as(person);
  const { body: given } = await me.call(twoFactor.begin, { body: { password } });
  nextStep();
  const { body } = await me.call(twoFactor.confirm, { body: { code: codeOf(given.secret) } });
  nextStep();
  return { person, me, email: await emailOf(person), secret: given.secret, uri: given.uri, codes: body.recoveryCodes };
}

describe("a second factor", () => {
  test("is on after a first code, and a sign-in then takes a code that works once (V-03)", async () => {
    const person = await aUser(company);
    const me = app.as(person);
    const email = await emailOf(person);
    expect((await me.call(twoFactor.state)).body).toEqual({ isOn: false, isRequired: false, recoveryCodesLeft: 0 });
    expect(errorOf(await me.call(twoFactor.begin, { body: { password: "errada" } }))).toEqual([
      400,
      "ERR_WRONG_PASSWORD",
    ]);
    const { body: first } = await me.call(twoFactor.begin, { body: { password } });
    const { body: given } = await me.call(twoFactor.begin, { body: { password } });
    expect(given.uri).toMatch(new RegExp(`^otpauth://totp/.*secret=${given.secret}`, "u"));
    expect(errorOf(await me.call(twoFactor.confirm, { body: { code: codeOf(first.secret) } }))).toEqual([
      400,
      "ERR_SECOND_FACTOR_CODE",
    ]);
    // not on yet: nobody is locked out by a set-up that was not finished
    expect((await signIn(email)).status).toBe(200);
    const again = app.as((await app.services.tokens.verify((await signIn(email)).body.token))!);
    const { body } = await again.call(twoFactor.confirm, { body: { code: codeOf(given.secret) } });
    expect(new Set(body.recoveryCodes).size).toBe(10);
    expect(errorOf(await again.call(twoFactor.begin, { body: { password } }))).toEqual([409, "ERR_SECOND_FACTOR_ON"]);

    const half = await signIn(email);
    expect([errorOf(half), half.cookies]).toEqual([[403, "ERR_SECOND_FACTOR"], {}]);
    const { ticket } = half.body.details;
    // the code of the set-up was one, too
    expect(errorOf(await second(ticket, codeOf(given.secret)))).toEqual([400, "ERR_SECOND_FACTOR_CODE"]);
    nextStep();
    const code = codeOf(given.secret);
    expect(
      errorOf(
        await second(
          ticket,
          code.replace(/^./u, (digit) => String((Number(digit) + 1) % 10)),
        ),
      ),
    ).toEqual([400, "ERR_SECOND_FACTOR_CODE"]);
    const both = await Promise.all([second(ticket, ` ${code.slice(0, 3)} ${code.slice(3)}`), second(ticket, code)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const { body: session, cookies } = both.find(({ status }) => status === 200)!;
    expect((await guest().get("/auth/me", { authorization: `Bearer ${session.token}` })).status).toBe(200);
    const refreshed = await guest().post("/auth/refresh_token", undefined, { cookie: `jrt=${cookies["jrt"]}` });
    expect(refreshed.status).toBe(200);
    // a clock that is half a minute wrong is forgiven, two minutes are not
    nextStep();
    nextStep();
    expect((await second(ticket, codeOf(given.secret, -4))).status).toBe(400);
    expect((await second(ticket, codeOf(given.secret, 1))).status).toBe(200);
    const { rows } = await sql<{ action: string }>`select action from audit_log where user_id = ${person.userId}
      order by id`.execute(app.db.system);
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["two-factor.enabled", "recovery-codes.created", "two-factor.refused"]),
    );
  });

  test("is replaced by a recovery code, once each, and new ones end the former; stored are hashes and a sealed secret (V-03)", async () => {
    const { me, email, secret, codes } = await aGuarded();
    const { rows } = await sql<{ everything: string }>`select (select string_agg(r::text, '') from recovery_codes r)
      || (select string_agg(f::text, '') from second_factors f) as everything`.execute(app.db.system);
    [secret, ...codes].forEach((hidden) => expect(rows[0]?.everything).not.toContain(hidden));

    const { body: renewed } = await me.call(twoFactor.renewCodes, { body: { password } });
    const ticket = await ticketFor(email);
    expect((await second(ticket, codes[0]!)).status).toBe(400);
    const [one = "", other = ""] = renewed.recoveryCodes;
    const typed = one.toLowerCase().replace("-", " ").replaceAll("1", "l").replaceAll("0", "o");
    const both = await Promise.all([second(ticket, typed), second(ticket, typed)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const { body } = await second(ticket, other);
    const left = app.as((await app.services.tokens.verify(body.token))!);
    expect((await left.call(twoFactor.state)).body).toMatchObject({ isOn: true, recoveryCodesLeft: 8 });

    expect((await left.call(twoFactor.disable, { body: { password } })).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
    expect((await second(ticket, renewed.recoveryCodes[2]!)).status).toBe(401);
  });

  test("is guessed ten times in five minutes; a ticket is forged, old or of a former password in vain (V-03, A-11)", async () => {
    const { email, secret, person } = await aGuarded();
    const ticket = await ticketFor(email);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => second(ticket, "AAAAA-AAAAA")));
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await second(ticket, codeOf(secret))).status).toBe(429);
    later += 301_000;
    expect((await second(ticket, codeOf(secret))).status).toBe(200);

    const notSignedIn = [401, "ERR_NOT_SIGNED_IN"];
    later += 600_000;
    expect(errorOf(await second(ticket, codeOf(secret)))).toEqual(notSignedIn);
    const fresh = await ticketFor(email);
    expect(errorOf(await second(`${fresh}x`, codeOf(secret)))).toEqual(notSignedIn);
    expect(errorOf(await guest().post(twoFactor.beginRequired.path, { ticket: fresh }))).toEqual(notSignedIn);
    const params = { id: person.userId };
    await app.as(company.admin).call(users.update, { params, body: { password: "outra senha" } });
    expect(errorOf(await second(fresh, codeOf(secret)))).toEqual(notSignedIn);
  });

  test("that the company requires is set up at the next sign-in, before anything else (V-03)", async () => {
    const strict = await aCompany(app);
    const person = await aUser(strict);
    const email = await emailOf(person);
    await app.as(strict.admin).put("/settings/requireTwoFactor", { value: "enabled" });
    // who is signed in goes on
    expect((await app.as(person).call(twoFactor.state)).body).toMatchObject({ isOn: false, isRequired: true });
    const half = await signIn(email);
    expect([errorOf(half), half.cookies]).toEqual([[403, "ERR_SECOND_FACTOR_SETUP"], {}]);
    const { ticket } = half.body.details;
    expect((await guest().get("/tickets", { authorization: `Bearer ${ticket}` })).status).toBe(403);
    expect((await second(ticket, "123456")).status).toBe(401);

    const { body: given } = await guest().post<{ secret: string }>(twoFactor.beginRequired.path, { ticket });
    const confirm = (code: string) =>
      guest().post<{ token: string; recoveryCodes: string[] }>(
        twoFactor.confirmRequired.path,
        { ticket, code },
        newAddress(),
      );
    expect(errorOf(await confirm("000000"))).toEqual([400, "ERR_SECOND_FACTOR_CODE"]);
    const { body } = await confirm(codeOf(given.secret));
    expect(body.recoveryCodes).toHaveLength(10);
    const me = app.as((await app.services.tokens.verify(body.token))!);
    expect(errorOf(await me.call(twoFactor.disable, { body: { password } }))).toEqual([
      409,
      "ERR_SECOND_FACTOR_REQUIRED",
    ]);
    expect((await confirm(codeOf(given.secret))).status).toBe(401);
    expect(errorOf(await signIn(email))).toEqual([403, "ERR_SECOND_FACTOR"]);
    // nor does an invitation let anybody in without one
    const { body: link } = await app.as(strict.admin).call(invitations.create, { body: { email: "nova@example.com" } });
    const accepted = await guest().call(invitations.accept, { body: { token: link.token, name: "Nova", password } });
    expect([errorOf(accepted), accepted.cookies]).toEqual([[403, "ERR_SECOND_FACTOR_SETUP"], {}]);
    expect(errorOf(await signIn("nova@example.com"))).toEqual([403, "ERR_SECOND_FACTOR_SETUP"]);
  });

  test("that is lost is removed by an admin, not by an equal, another company or oneself; by the operator anywhere (V-03, V-04)", async () => {
    const operator = await aCompany(app, { isOperator: true });
    const [guarded, boss] = [await aGuarded(), await aGuarded(operator, operator.admin)];
    const remove = (by: TestUser, id: number) => app.as(by).call(twoFactor.reset, { params: { id } });
    const id = guarded.person.userId;
    expect((await remove(await aUser(company), id)).status).toBe(403);
    expect((await remove((await aCompany(app)).admin, id)).status).toBe(404);
    const chief = await aUser(operator, { profile: "admin" });
    expect((await remove(chief, boss.person.userId)).status).toBe(403);
    expect((await remove(operator.admin, boss.person.userId)).status).toBe(403);
    expect((await remove(company.admin, id)).status).toBe(200);
    expect((await signIn(guarded.email)).status).toBe(200);
    const other = await aGuarded();
    expect((await remove(operator.admin, other.person.userId)).status).toBe(200);
    expect((await signIn(other.email)).status).toBe(200);
  });
});

test("the sessions are listed with this one, and one that is ended is out at once, its socket too (V-03, A-07)", async () => {
  const { email, secret } = await aGuarded();
  const first = await second(await ticketFor(email), codeOf(secret));
  const claims = (await app.services.tokens.verify(first.body.token))!;
  const socket = await app.connect(claims);
  const list = async () => (await app.as(claims).get<OwnSession[]>("/auth/sessions")).body;
  const [mine, ...former] = await list();
  expect(mine).toMatchObject({ id: claims.sessionId, isCurrent: true, endedAt: null });
  expect(mine?.address).toMatch(/^192\.0\.2\./u);
  expect(former.every(({ isCurrent, endedAt }) => !isCurrent && endedAt !== null)).toBe(true);

  const stranger = await aUser(company);
  const end = (by: TestUser | typeof claims) => app.as(by).delete(`/auth/sessions/${claims.sessionId}`);
  expect((await end(stranger)).status).toBe(404);
  expect((await end(claims)).status).toBe(200);
  expect((await app.as(claims).get("/auth/me")).status).toBe(401);
  await app.settle();
  await vi.waitFor(() => expect(socket.io.connected).toBe(false));
  const cookie = { cookie: `jrt=${first.cookies["jrt"]}` };
  expect((await guest().post("/auth/refresh_token", undefined, cookie)).status).toBe(401);
});
