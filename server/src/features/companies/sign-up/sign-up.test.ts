import { readdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { maskPhone, passwordResets, signUps } from "@prosa/contract";
import type { BodyIn } from "@prosa/contract";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestResponse } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { pruneSignUpsCron } from "./prune-sign-ups.ts";

/** Self sign-up of a company. */

let app: TestApp;
let operator: TestCompany;
// 23:30 on the 24th in São Paulo
let now = new Date("2030-11-25T02:30:00Z");
const clock = { now: () => now };
beforeAll(async () => {
  app = await createTestApp({ clock, env: { TRUST_PROXY: "on" } });
  operator = await aCompany(app, { isOperator: true });
});
afterAll(() => app.close());

let serial = 0;
const newAddress = () => ({ "x-forwarded-for": `203.0.113.${(serial += 1)}` });
const errorOf = ({ status, body }: TestResponse) => [status, (body as { error?: string }).error];

async function aPlan(isPublic: boolean): Promise<number> {
  const body = { name: `Plano ${(serial += 1)}`, users: 3, connections: 1, queues: 2, value: 99.9, isPublic };
  return (await app.as(operator.admin).post<{ id: number }>("/plans", body)).body.id;
}

async function signUp(given: Partial<Record<keyof BodyIn<typeof signUps.create>, unknown>> & object, on = app) {
  const name = `Empresa ${(serial += 1)}`;
  const body = {
    name,
    email: `empresa${serial}@example.com`,
    phone: "(11) 98765-4321",
    password: "Segredo 1",
    ...given,
  };
  return on.as(undefined).post<Record<string, unknown>>(signUps.create.path, body, newAddress());
}
const signIn = (email: unknown, on = app) =>
  on
    .as(undefined)
    .post<{ user: Record<string, unknown> }>("/auth/login", { email, password: "Segredo 1" }, newAddress());

test("a company signs up with a trial of three days, whatever the client would have, and its admin signs in (A-09)", async () => {
  const planId = await aPlan(true);
  const { body: offered } = await app.as(undefined).get<{ id: number }[]>("/plans/list");
  expect(offered.map(({ id }) => id)).toContain(planId);
  const wished = { planId, recurrence: "ANUAL", dueDate: "2099-12-31", status: false, campaignsEnabled: false };
  const { status, body } = await signUp(wished as object);
  expect([status, body]).toMatchObject([
    200,
    {
      recurrence: "MENSAL",
      dueDate: "2030-11-27",
      trialExpiration: "2030-11-28T02:30:00.000Z",
      status: true,
      campaignsEnabled: true,
      mustConfirm: false,
    },
  ]);
  const { body: session } = await signIn(body["email"]);
  expect(session.user).toMatchObject({
    profile: "admin",
    super: false,
    company: { dueDate: "2030-11-27", trialExpiration: "2030-11-28T02:30:00.000Z", plan: { id: planId } },
  });
  const { body: seen } = await app.as(operator.admin).get(`/companies/${String(body["id"])}`);
  expect(seen).toMatchObject({ phone: "(11) 98765-4321", recurrence: "MENSAL", campaignsEnabled: true, status: true });
});

test("name, e-mail, password and plan meet the rules, and what somebody has is named (A-09)", async () => {
  const planId = await aPlan(true);
  const wrong: readonly [object, string][] = [
    [{ name: "B" }, "name"],
    [{ email: "nobody" }, "email"],
    [{ password: "1234" }, "password"],
    [{ phone: "(11) 98765-43210" }, "phone"],
    [{ planId: undefined }, "planId"],
    [{ planId: await aPlan(false) }, "planId"],
    [{ planId: 2_000_000_000 }, "planId"],
  ];
  for (const [given, field] of wrong) {
    const { status, body } = await signUp({ planId, ...given });
    expect([status, body]).toMatchObject([400, { details: { fields: { [field]: expect.any(String) } } }]);
  }
  const first = await signUp({ planId, name: "Loja Única", email: "unica@example.com" });
  expect(first.status).toBe(200);
  expect(errorOf(await signUp({ planId, name: "Loja Única" }))).toEqual([409, "ERR_NAME_TAKEN"]);
  expect(errorOf(await signUp({ planId, email: "UNICA@example.com" }))).toEqual([409, "ERR_EMAIL_TAKEN"]);
  const twice = { planId, name: "Ao mesmo tempo", email: "duas@example.com" };
  const both = await Promise.all([signUp(twice), signUp(twice)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test("the setting userCreation closes it: the operator's for all, a company's for its link (A-09)", async () => {
  const planId = await aPlan(true);
  const other = await aCompany(app);
  const isOpen = async (query = "") =>
    (await app.as(undefined).get<{ isOpen: boolean }>(`${signUps.form.path}${query}`)).body.isOpen;
  const set = (company: TestCompany, value: string) =>
    company.inside(({ db }) =>
      sql`insert into settings (company_id, key, value) values (${company.id}, 'userCreation', ${value})
        on conflict (company_id, key) do update set value = excluded.value`.execute(db),
    );
  await set(other, "disabled");
  expect([await isOpen(), await isOpen(`?companyId=${other.id}`)]).toEqual([true, false]);
  expect(errorOf(await signUp({ planId, companyId: other.id }))).toEqual([403, "ERR_USER_CREATION_DISABLED"]);
  expect((await signUp({ planId, companyId: null })).status).toBe(200);

  await app.as(operator.admin).put("/settings/userCreation", { value: "disabled" });
  expect(await isOpen()).toBe(false);
  expect(errorOf(await signUp({ planId }))).toEqual([403, "ERR_USER_CREATION_DISABLED"]);
  await app.as(operator.admin).put("/settings/userCreation", { value: "enabled" });
  expect(await isOpen()).toBe(true);
});

test("robots are refused by the hidden field, the time and the ticket, and limited by address and e-mail (A-09)", async () => {
  const planId = await aPlan(true);
  const refused = [400, "ERR_SIGN_UP_REFUSED"];
  const { ticket } = (await app.as(undefined).get<{ ticket: string }>(signUps.form.path)).body;
  expect(errorOf(await signUp({ planId, website: "http://spam" }))).toEqual(refused);
  expect(errorOf(await signUp({ planId, ticket }))).toEqual(refused);
  expect(errorOf(await signUp({ planId, ticket: `${ticket.slice(0, -1)}_` }))).toEqual(refused);
  now = new Date(now.getTime() + 3_000);
  expect((await signUp({ planId, ticket })).status).toBe(200);
  now = new Date(now.getTime() + 13 * 3_600_000);
  expect(errorOf(await signUp({ planId, ticket }))).toEqual(refused);

  const here = newAddress();
  const post = (email: string, from: Record<string, string>) =>
    app
      .as(undefined)
      .post(signUps.create.path, { name: "Robô", email, password: "Segredo 1", planId: 0x7fff_fff0 }, from);
  const fromHere = [];
  for (let n = 0; n < 6; n += 1) {
    fromHere.push((await post(`robo${n}@example.com`, here)).status);
  }
  // without a ticket each costs two of the address's ten
  expect(fromHere).toEqual([400, 400, 400, 400, 400, 429]);
  const asOne = [];
  for (let n = 0; n < 6; n += 1) {
    asOne.push((await post("mesmo@example.com", newAddress())).status);
  }
  expect(asOne).toEqual([400, 400, 400, 400, 400, 429]);
});

test("where mail is set the e-mail is confirmed before the first sign-in, by the link or a password reset (A-09)", async () => {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "").replaceAll("=3D", "="));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(resolve)));
  const { port } = smtp.server.address() as AddressInfo;
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, TRUST_PROXY: "on" };
  const own = await createTestApp({ env, sameDatabaseAs: app, closeAfterTest: true });
  // Warnings of the end of the trial arrive among them, to who has confirmed.
  const lastOf = (pattern: RegExp) => mails.flatMap((mail) => pattern.exec(mail)?.[1] ?? []).at(-1);
  const lastLink = async () => {
    await own.settle();
    return lastOf(/confirm=([\w-]+)/u) ?? "no link";
  };
  const confirm = (token: string) => own.as(undefined).post("/auth/confirm-email", { token }, newAddress());
  const notConfirmed = [403, "ERR_EMAIL_NOT_CONFIRMED"];
  const usedLink = [400, "ERR_CONFIRMATION_LINK"];

  const planId = await aPlan(true);
  const { body } = await signUp({ planId }, own);
  expect(body["mustConfirm"]).toBe(true);
  const first = await lastLink();
  expect(mails).toHaveLength(1);
  // A stranger's mailbox may be named: the mail carries none of what was typed.
  expect(mails[0]).not.toContain(String(body["name"]));
  expect(errorOf(await signIn(body["email"], own))).toEqual(notConfirmed);
  expect(errorOf(await signIn(body["email"], own))).toEqual(notConfirmed);
  const second = await lastLink();
  // one for two sign-ins, and it replaces the first
  expect(mails).toHaveLength(2);
  expect(errorOf(await confirm(first))).toEqual(usedLink);
  now = new Date(now.getTime() + 49 * 3_600_000);
  expect(errorOf(await confirm(second))).toEqual(usedLink);
  expect(errorOf(await signIn(body["email"], own))).toEqual(notConfirmed);
  const third = await lastLink();
  expect((await confirm(third)).status).toBe(200);
  expect(errorOf(await confirm(third))).toEqual(usedLink);
  expect((await signIn(body["email"], own)).status).toBe(200);

  // who proves the mailbox by a reset needs no link any more
  const { body: other } = await signUp({ planId }, own);
  const email = String(other["email"]);
  await own.as(undefined).post(`/forgetpassword/${email}`, undefined, newAddress());
  await own.settle();
  const token = lastOf(/^([0-9A-Z]{5}-[0-9A-Z]{5})(?=\r$)/mu) ?? "";
  const reset = { email, token, password: "Segredo 1" };
  expect((await own.as(undefined).post(passwordResets.reset.path, reset, newAddress())).status).toBe(200);
  expect((await signIn(email, own)).status).toBe(200);
  // and without a mail server nobody is shut out
  const { body: unmailed } = await signUp({ planId }, own);
  expect((await signIn(unmailed["email"])).status).toBe(200);
  expect(await readdir(join(own.services.config.dataDir, "outbox")).catch(() => [])).toEqual([]);

  // who never confirmed holds a name and an e-mail for two weeks
  const { body: stale } = await signUp({ planId }, own);
  // and is not asked for money: the address may be a stranger's
  now = new Date(now.getTime() + 11 * 60_000);
  await own.settle();
  expect(mails.filter((mail) => mail.includes(`To: ${String(stale["email"])}`))).toHaveLength(1);
  // nor kept by a name that the deleted one would get
  expect((await signUp({ planId, name: `${String(stale["name"])} #${String(stale["id"])}` }, own)).status).toBe(200);
  const prune = (on: TestApp) => pruneSignUpsCron(on.services).run({ db: on.db, clock } as never);
  const exists = async (id: unknown) =>
    (await sql`select from companies where id = ${id} and deleted_at is null`.execute(app.db.system)).rows.length === 1;
  now = new Date(now.getTime() + 13 * 86_400_000);
  await prune(own);
  expect(await exists(stale["id"])).toBe(true);
  now = new Date(now.getTime() + 2 * 86_400_000);
  await prune(app);
  expect(await exists(stale["id"])).toBe(true);
  await prune(own);
  await own.settle();
  expect([await exists(stale["id"]), await exists(body["id"]), await exists(other["id"])]).toEqual([false, true, true]);
  expect((await signUp({ planId, name: stale["name"], email: stale["email"] }, own)).status).toBe(200);
});

test("a phone number is shown as it is typed (A-09)", () => {
  const typed = ["", "1", "11", "119", "1198765", "11987654", "1132654321", "11987654321", "119876543219"];
  expect(typed.map(maskPhone)).toEqual([
    "",
    "(1",
    "(11",
    "(11) 9",
    "(11) 9876-5",
    "(11) 9876-54",
    "(11) 3265-4321",
    "(11) 98765-4321",
    "(11) 98765-4321",
  ]);
});

test("a number that is pasted or typed with the country's code loses the code, not its last digits (A-09)", () => {
  const given = ["+55 11 98765-4321", "5511987654321", "+551132654321", "(55) 11987-65432", "(55) 99765-43219"];
  expect(given.map(maskPhone)).toEqual([
    "(11) 98765-4321",
    "(11) 98765-4321",
    "(11) 3265-4321",
    "(11) 9876-5432",
    // a mobile of the area 55, and a digit too many
    "(55) 99765-4321",
  ]);
});
