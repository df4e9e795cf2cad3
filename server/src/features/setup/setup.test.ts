import { setup, setupCodeHours } from "@prosa/contract";
import type { BodyIn } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestResponse } from "#server/testing/app.ts";
import { createOperator, currentSetupCode, findOperatorEmail, sameStartMs } from "./index.ts";

const operator = { company: "Casa", email: "chefe@example.com", password: "long enough" };
const page = { accept: "text/html,application/xhtml+xml", "sec-fetch-dest": "document" };
const errorOf = ({ status, body }: TestResponse) => [status, (body as { error?: string }).error];

/** One database without companies; each test leaves it so. */
let app: TestApp;
const clock = createMovedClock();
beforeAll(async () => {
  app = await createTestApp({ clock, env: { TRUST_PROXY: "on", OPERATOR_COMPANY: "Prosa Ltda" } });
});
afterAll(() => app.close());

let address = 0;
async function setUp(body: Partial<BodyIn<typeof setup.create>>, on = app, from?: string) {
  const whole = { ...operator, name: "Chefe", code: "", ...body };
  const caller = { "x-forwarded-for": from ?? `203.0.113.${(address += 1)}`, "accept-language": "en" };
  return on.as(undefined).post(setup.create.path, whole, caller);
}
const signIn = ({ email, password }: { email: string; password: string }) =>
  app.as(undefined).post<{ user: Record<string, unknown> }>("/auth/login", { email, password });
const clear = () => sql`delete from companies`.execute(app.db.system);

test("the company of setup is due a year ahead, in its own time zone, and signs in until then (Z-05)", async () => {
  const own = await createTestApp({ closeAfterTest: true });
  // still the 31st in São Paulo
  await createOperator(own.db, operator, new Date("2028-02-01T01:30:00Z"));
  const { email, password } = operator;
  const { body } = await own.as(undefined).post<{ user: unknown }>("/auth/login", { email, password });
  expect(body.user).toMatchObject({ company: { dueDate: "2029-01-31", trialExpiration: null } });
  expect(await createOperator(own.db, { ...operator, company: "Other", email: "other@example.com" })).toBe(false);
  expect(await findOperatorEmail(own.db)).toBe("chefe@example.com");
});

test("the first page of an empty installation asks for the operator with the printed code, once (Z-05)", async () => {
  const opened = await app.as(undefined).get("/tickets?status=open", page);
  expect([opened.status, opened.headers["location"], opened.headers["cache-control"]]).toEqual([
    302,
    "/setup",
    "no-store",
  ]);
  expect((await app.as(undefined).get("/setup", page)).status).toBe(200);
  expect((await app.as(undefined).call(setup.state)).body).toEqual({ company: "Prosa Ltda" });

  // before any code was printed none is right
  expect(errorOf(await setUp({ code: "00000-00000" }))).toEqual([400, "ERR_SETUP_CODE"]);
  const code = await currentSetupCode(app.services);
  expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/u);
  const { rows } = await sql<{ seed: string }>`select seed from setup_code`.execute(app.db.system);
  expect(JSON.stringify(rows)).not.toContain(code.slice(0, 5));

  expect(errorOf(await setUp({ code, password: "1234567" }))).toEqual([400, "ERR_VALIDATION"]);
  expect(errorOf(await setUp({ code, email: "nobody" }))).toEqual([400, "ERR_VALIDATION"]);
  expect((await setUp({ code: ` ${code.replace("-", "").toLowerCase()} ` })).status).toBe(200);

  expect((await signIn(operator)).body.user).toMatchObject({ name: "Chefe", super: true, company: { name: "Casa" } });
  expect(errorOf(await setUp({ code, email: "second@example.com", company: "Second" }))).toEqual([
    404,
    "ERR_NO_SETUP_FOUND",
  ]);
  expect(errorOf(await app.as(undefined).call(setup.state))).toEqual([404, "ERR_NO_SETUP_FOUND"]);
  expect((await sql`select from setup_code`.execute(app.db.system)).rows).toEqual([]);
  const entries = await sql<{ address: string }>`select actor_kind, user_name, target_name, address from audit_log
    where action = 'company.created'`.execute(app.db.system);
  expect(entries.rows).toMatchObject([{ actor_kind: "guest", user_name: operator.email, target_name: "Casa" }]);
  expect(entries.rows[0]?.address).toBeTruthy();
  await expect.poll(async () => (await app.as(undefined).get("/login", page)).status, { timeout: 3_000 }).toBe(200);
  await clear();
});

test("of two browsers and a terminal that set up at once one wins, whatever they typed (Z-05)", async () => {
  const code = await currentSetupCode(app.services);
  const [first, second, typed] = await Promise.all([
    setUp({ code, email: "first@example.com", company: "First" }),
    setUp({ code, email: "second@example.com", company: "Second" }),
    createOperator(app.db, { ...operator, email: "third@example.com", company: "Third" }),
  ]);
  const won = [first.status === 200, second.status === 200, typed];
  expect(won.filter(Boolean)).toHaveLength(1);
  expect([first, second].filter(({ status }) => status !== 200).map(errorOf)).toEqual(
    typed
      ? [
          [404, "ERR_NO_SETUP_FOUND"],
          [404, "ERR_NO_SETUP_FOUND"],
        ]
      : [[404, "ERR_NO_SETUP_FOUND"]],
  );
  const { rows } = await sql`select from users where is_super`.execute(app.db.system);
  expect(rows).toHaveLength(1);
  await clear();
});

test("processes that start together print one code; a later start replaces it, a day ends it, and guesses are limited (Z-05)", async () => {
  const other = await createTestApp({ sameDatabaseAs: app, closeAfterTest: true, env: { TRUST_PROXY: "on" } });
  const code = await currentSetupCode(app.services, sameStartMs);
  expect(await currentSetupCode(other.services, sameStartMs)).toBe(code);
  clock.advance({ seconds: 61 });
  // the command shows it again, a restart makes another
  expect(await currentSetupCode(app.services)).toBe(code);
  const later = await currentSetupCode(other.services, sameStartMs);
  expect(later).not.toBe(code);
  expect(errorOf(await setUp({ code }))).toEqual([400, "ERR_SETUP_CODE"]);

  clock.advance({ seconds: setupCodeHours * 3_600 });
  expect(errorOf(await setUp({ code: later }))).toEqual([400, "ERR_SETUP_CODE"]);
  const newest = await currentSetupCode(app.services);
  const guesses = await Promise.all(
    Array.from({ length: 14 }, (_, n) => setUp({ code: `guess ${n}` }, n % 2 === 0 ? app : other, "203.0.113.250")),
  );
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(4);
  const refused = await setUp({ code: newest }, app, "203.0.113.250");
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, expect.stringMatching(/^\d+$/u)]);
  // who types it elsewhere is not kept out
  expect((await setUp({ code: newest })).status).toBe(200);
});
