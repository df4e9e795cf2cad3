import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createRateLimiter } from "#server/platform/http/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser, testPassword } from "#server/testing/factories.ts";
import type { TestUser } from "#server/testing/factories.ts";
import { throttleFlood, originOf } from "./auth.attempts.ts";

/** Nobody locks another person out by trying their e-mail, and nobody guesses for free. */

const clock = createMovedClock(new Date());
const env = { TRUST_PROXY: "on" };
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock, env });
});
afterAll(() => app.close());

const home = "198.51.100.7";
let networks = 0;
/** Nobody was here before. */
const elsewhere = () => `203.${(networks += 1) >> 8}.${networks & 0xff}.9`;

async function tries(email: string, password: string, address: string, process = app): Promise<number> {
  const headers = { "x-forwarded-for": address };
  return (await process.as(undefined).post("/auth/login", { email, password }, headers)).status;
}

const guess = ({ email }: { readonly email: string }, address: string, process = app) =>
  tries(email, "wrong password", address, process);
const enter = ({ email }: TestUser, address: string, process = app) => tries(email, testPassword, address, process);

let strangers = 0;
/** Passwords for so many accounts that are none, at once: how many were looked at. */
async function heardOf(count: number, address: string, process = app): Promise<number> {
  const guesses = Array.from({ length: count }, () =>
    guess({ email: `s${(strangers += 1)}@example.net` }, address, process),
  );
  return (await Promise.all(guesses)).filter((status) => status === 401).length;
}

/** Somebody who signed in from home, a while ago. */
async function anOwner(): Promise<TestUser> {
  clock.advance({ hours: 2 });
  const owner = await aUser(await aCompany(app));
  expect(await enter(owner, home)).toBe(200);
  await app.settle();
  return owner;
}

/** All mails to this person, in readable lines. */
async function mailsTo({ email }: TestUser): Promise<string[]> {
  await app.settle();
  const outbox = join(app.services.config.dataDir, "outbox");
  const files = await readdir(outbox).catch(() => []);
  const all = await Promise.all(files.map((file) => readFile(join(outbox, file), "utf8")));
  return all.map((text) => text.replaceAll("=\n", "")).filter((text) => text.includes(`To: ${email}`));
}

test("failed attempts from one address lock out that address only, not the owner at a known or a new address (A-11)", async () => {
  const owner = await anOwner();
  const attacker = elsewhere();
  const answers: number[] = [];
  for (let n = 0; n < 25; n += 1) {
    answers.push(await guess(owner, attacker));
  }
  expect(answers.filter((status) => status === 401)).toHaveLength(10);
  expect(answers.filter((status) => status === 429)).toHaveLength(15);
  // not even with the right password: nobody of this account was there before
  expect(await enter(owner, attacker)).toBe(429);
  expect(await enter(owner, home)).toBe(200);
  expect(await enter(owner, elsewhere())).toBe(200);
});

test("a refused attempt does not extend the limit: half a minute later one is allowed again (A-11)", async () => {
  const owner = await anOwner();
  const attacker = elsewhere();
  for (let n = 0; n < 10; n += 1) {
    expect(await guess(owner, attacker)).toBe(401);
  }
  for (let second = 0; second < 29; second += 1) {
    expect(await guess(owner, attacker)).toBe(429);
    clock.advance({ seconds: 1 });
  }
  clock.advance({ seconds: 1 });
  expect(await guess(owner, attacker)).toBe(401);
});

test("at an address that signed in before, the right password works after any number of wrong ones (A-11)", async () => {
  const owner = await anOwner();
  const wrong = await Promise.all(Array.from({ length: 13 }, () => guess(owner, home)));
  expect(wrong.toSorted((a, b) => a - b)).toEqual([...Array<number>(10).fill(401), 429, 429, 429]);
  expect(await enter(owner, home)).toBe(200);
  // and where the whole office mistyped
  await Promise.all(Array.from({ length: 40 }, (_, n) => guess({ email: `nobody${n}@example.com` }, home)));
  expect(await enter(owner, home)).toBe(200);
});

test("an address whose sessions were ended by a new password is not a known address (A-11)", async () => {
  const company = await aCompany(app);
  const owner = await aUser(company);
  const stranger = elsewhere();
  await enter(owner, stranger);
  await app.as(company.admin).put(`/users/${owner.userId}`, { password: testPassword });
  await Promise.all(Array.from({ length: 10 }, () => guess(owner, stranger)));
  expect(await enter(owner, stranger)).toBe(429);
});

test("nor is one that was signed out before the owner changed the password (A-11)", async () => {
  const owner = await anOwner();
  const thief = elsewhere();
  await enter(owner, thief);
  const credentials = { email: owner.email, password: testPassword };
  const { body } = await app.as(undefined).post("/auth/login", credentials, { "x-forwarded-for": home });
  const authorization = `Bearer ${(body as { token: string }).token}`;
  clock.advance({ minutes: 1 });
  const change = { password: testPassword, currentPassword: testPassword };
  expect((await app.as(undefined).put(`/users/${owner.userId}`, change, { authorization })).status).toBe(200);
  await Promise.all(Array.from({ length: 10 }, () => guess(owner, thief)));
  expect(await enter(owner, thief)).toBe(429);
  await Promise.all(Array.from({ length: 10 }, () => guess(owner, home)));
  expect(await enter(owner, home)).toBe(200);
});

test("no e-mail can be written so that its attempts count for another account (A-11)", async () => {
  const owner = await anOwner();
  for (let n = 0; n < 60; n += 1) {
    await guess({ email: `${owner.email} ${home}` }, elsewhere());
  }
  expect(await guess(owner, home)).toBe(401);
});

test("an address over its limit causes no mail to the owner of an account that it has not tried (A-11)", async () => {
  const owner = await anOwner();
  const office = elsewhere();
  await Promise.all(Array.from({ length: 30 }, (_, n) => guess({ email: `nobody${n}@example.org` }, office)));
  expect(await guess(owner, office)).toBe(429);
  expect((await mailsTo(owner)).filter((text) => text.includes("tentativas"))).toEqual([]);
});

test("a flood from one address is throttled, and what is beyond that does not reach the database (A-11)", async () => {
  const flood = elsewhere();
  const first = await Promise.all(Array.from({ length: 300 }, (_, n) => guess({ email: `f${n}@example.org` }, flood)));
  expect(first.filter((status) => status === 401)).toHaveLength(30);
  const asked = vi.spyOn(app.services.limiter, "runInTurn");
  const rest = Array.from({ length: 60 }, (_, n) => guess({ email: `g${n}@example.org` }, flood));
  // Forty find a place in the lane, where each waits half a second for the one before; twenty find it full.
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(60));
  expect(await Promise.race(rest.slice(40))).toBe(429);
  const refused = asked.mock.results.map(({ value }) => value as Promise<unknown>).slice(40);
  expect((await Promise.allSettled(refused)).every(({ status }) => status === "rejected")).toBe(true);
  const { rows } = await sql`select from rate_limits where key like '% g%@example.org'`.execute(app.db.system);
  expect(rows.length).toBeLessThan(40);
  asked.mockRestore();
  expect(await guess({ email: "h@example.org" }, elsewhere())).toBe(401);
  void Promise.allSettled(rest);
});

test("failed tries of an address count over processes, a right password does not (A-11)", async () => {
  const other = await createTestApp({ env, sameDatabaseAs: app, closeAfterTest: true });
  const owner = await anOwner();
  const office = elsewhere();
  expect([await heardOf(15, office), await heardOf(15, office, other)]).toEqual([15, 15]);
  expect([await heardOf(1, office), await heardOf(1, office, other)]).toEqual([0, 0]);
  expect(await heardOf(1, elsewhere(), other)).toBe(1);

  clock.advance({ seconds: 61 });
  expect(await heardOf(29, office)).toBe(29);
  for (let n = 0; n < 5; n += 1) {
    expect(await enter(owner, office, n % 2 === 0 ? app : other)).toBe(200);
  }
  expect(await heardOf(2, office, other)).toBe(1);
  // and whoever signed in there before goes on
  expect(await enter(owner, office)).toBe(200);
});

test("an attempt that a process refuses by its own limit does not read the shared buckets (A-11)", async () => {
  const office = elsewhere();
  const asked = vi.spyOn(pg.Client.prototype, "query");
  const askedOfBuckets = () =>
    asked.mock.calls.filter((call) => JSON.stringify(call.slice(0, 2)).includes(`:${office}`));
  expect(await heardOf(30, office)).toBe(30);
  const before = askedOfBuckets().length;
  expect(before).toBe(30);
  expect(await heardOf(20, office)).toBe(0);
  expect(askedOfBuckets()).toHaveLength(before);
  asked.mockRestore();
});

test("behind one proxy, a forged address header does not make another caller (A-11)", async () => {
  const owner = await anOwner();
  const attacker = elsewhere();
  for (let n = 0; n < 10; n += 1) {
    expect(await guess(owner, `${elsewhere()}, ${attacker}`)).toBe(401);
  }
  expect(await guess(owner, `${elsewhere()}, ${attacker}`)).toBe(429);
});

test("for an invalid address header the address of the connection counts (A-11)", async () => {
  const long = () => randomBytes(4_000).toString("hex");
  for (let n = 0; n < 10; n += 1) {
    expect(await guess({ email: "somebody@example.org" }, long())).toBe(401);
  }
  expect(await guess({ email: "somebody@example.org" }, long())).toBe(429);
});

test("the known addresses of an account are found by index (A-11)", async () => {
  const { rows } = await sql`select from pg_indexes where tablename = 'sessions'
    and indexdef like '%(user_id)'`.execute(app.db.system);
  expect(rows).toHaveLength(1);
});

test("all of an IPv6 network are one address, and an IPv4 address is itself however it is written (A-11)", async () => {
  const owner = await anOwner();
  for (let n = 0; n < 10; n += 1) {
    expect(await guess(owner, `2001:db8:7:1::${n.toString(16)}`)).toBe(401);
  }
  expect(await guess(owner, "2001:db8:7:1:ffff::1")).toBe(429);
  expect(await guess(owner, "2001:db8:7:2::1")).toBe(401);

  const attacker = elsewhere();
  for (let n = 0; n < 10; n += 1) {
    expect(await guess(owner, n % 2 === 0 ? attacker : `::ffff:${attacker}`)).toBe(401);
  }
  expect(await guess(owner, `::ffff:${attacker}`)).toBe(429);
});

test("an IPv6 /48 has three times the attempts of one address, not 65,536 times (A-11)", async () => {
  clock.advance({ hours: 2 });
  for (const network of ["2001:db8:48:1::1", "2001:db8:48:2::1", "2001:db8:48:3::1"]) {
    expect(await heardOf(31, network)).toBe(30);
  }
  expect(await heardOf(1, "2001:db8:48:4::1")).toBe(0);
  expect(await heardOf(1, "2001:db8:49:4::1")).toBe(1);
  // one of them alone leaves the others two thirds
  clock.advance({ seconds: 61 });
  expect(await heardOf(60, "2001:db8:48:1::1")).toBe(30);
  expect(await heardOf(31, "2001:db8:48:2::1")).toBe(30);
});

test("the same per account: its owner signs in from elsewhere, and from a known address in that /48 (A-11)", async () => {
  const owner = await anOwner();
  expect(await enter(owner, "2001:db8:50:aaaa::1")).toBe(200);
  for (const network of ["2001:db8:50:1::1", "2001:db8:50:2::1", "2001:db8:50:3::1"]) {
    await Promise.all(Array.from({ length: 11 }, () => guess(owner, network)));
  }
  expect(await guess(owner, "2001:db8:50:4::1")).toBe(429);
  expect(await guess(owner, "2001:db8:51:4::1")).toBe(401);
  expect(await enter(owner, "2001:db8:50:aaaa::2")).toBe(200);
  // a right password: the next one who mistypes begins anew
  expect(await guess(owner, "2001:db8:50:4::1")).toBe(401);
});

test("a flood over the networks of a /48 is throttled as well (A-11)", async () => {
  const limiter = createRateLimiter(clock);
  const inTurn = vi.spyOn(limiter, "runInTurn");
  const send = (network: number) =>
    throttleFlood({ limiter }, originOf(`2001:db8:52:${network.toString(16)}::1`), async () => true);
  for (let n = 0; n < 900; n += 1) {
    await send(n);
  }
  expect(inTurn).not.toHaveBeenCalled();
  await send(900);
  expect(inTurn).toHaveBeenCalledWith("sign-in-flood:2001:db8:52::/48", expect.anything(), expect.anything());
});

test("under attack from everywhere an address has two attempts instead of ten, and the owner still signs in from anywhere (A-11)", async () => {
  const owner = await anOwner();
  for (let n = 0; n < 60; n += 1) {
    expect(await guess(owner, elsewhere())).toBe(401);
  }
  const fresh = elsewhere();
  expect([await guess(owner, fresh), await guess(owner, fresh), await guess(owner, fresh)]).toEqual([401, 401, 429]);
  expect(await enter(owner, elsewhere())).toBe(200);
  expect(await enter(owner, home)).toBe(200);
});

test("the owner gets a mail about many failed sign-ins, once a day, in the company's language (A-11)", async () => {
  const owner = await anOwner();
  await app.db.system.updateTable("companies").set({ language: "es" }).where("id", "=", owner.companyId).execute();
  const attacker = elsewhere();
  for (let n = 0; n < 9; n += 1) {
    await guess(owner, attacker);
  }
  const triesMails = async () => (await mailsTo(owner)).filter((text) => text.includes("Muchos intentos"));
  expect(await triesMails()).toEqual([]);
  for (let n = 0; n < 30; n += 1) {
    await guess(owner, attacker);
  }
  const mails = await triesMails();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain("Subject: Muchos intentos de entrar en su cuenta");
  expect(mails[0]).toContain(attacker);
  // The hours of the screens: "3:05 p.m." would end the sentence twice.
  expect(mails[0]).toMatch(/, el \d+ de \p{L}+ de \d{4} a las \d\d:\d\d\.$/mu);

  clock.advance({ hours: 25 });
  await Promise.all(Array.from({ length: 12 }, () => guess(owner, attacker)));
  expect(await triesMails()).toHaveLength(2);
});

test("the owner gets a mail about a sign-in from a new address, not about the first one nor a known one (A-11)", async () => {
  const owner = await anOwner();
  const before = await mailsTo(owner);
  await enter(owner, home);
  expect(await mailsTo(owner)).toHaveLength(before.length);

  clock.advance({ hours: 2 });
  const [first, second] = [elsewhere(), elsewhere()];
  await enter(owner, first);
  await enter(owner, first);
  await enter(owner, second);
  const told = (await mailsTo(owner)).filter((text) => text.includes(first) || text.includes(second));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(first);
});
