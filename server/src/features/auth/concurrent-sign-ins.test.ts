import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser, testPassword } from "#server/testing/factories.ts";

/** Only wrong passwords count against the limits of failed attempts, also while a password is being verified (0183). */

const clock = createMovedClock(new Date());
const env = { TRUST_PROXY: "on" };
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock, env });
});
afterAll(() => app.close());

let networks = 0;
const anAddress = () => `203.0.${(networks += 1)}.9`;

async function attempt(email: string, password: string, address: string, process = app): Promise<number> {
  const answer = await process.as(undefined).post("/auth/login", { email, password }, { "x-forwarded-for": address });
  return answer.status;
}
const times = (count: number, of: (n: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, n) => of(n)));
const countOf = (answers: readonly number[], status: number) => answers.filter((each) => each === status).length;

test("32 callers with the right password of one account all get in, also one after the other (A-11)", async () => {
  const owner = await aUser(await aCompany(app));
  const address = anAddress();
  expect(countOf(await times(32, () => attempt(owner.email, testPassword, address)), 200)).toBe(32);
  // and after nine wrong ones, where one token is left
  await times(9, () => attempt(owner.email, "wrong", address));
  expect(countOf(await times(32, () => attempt(owner.email, testPassword, address)), 200)).toBe(32);
});

test("an office of 60 that signs in at once gets in, over two processes as well (A-11)", async () => {
  const company = await aCompany(app);
  const people = await Promise.all(Array.from({ length: 60 }, () => aUser(company)));
  const office = anAddress();
  expect(countOf(await times(60, (n) => attempt(people[n]!.email, testPassword, office)), 200)).toBe(60);

  const other = await createTestApp({ env, sameDatabaseAs: app, closeAfterTest: true });
  const answers = await times(30, (n) => attempt(people[n]!.email, testPassword, office, n % 2 === 0 ? app : other));
  expect(countOf(answers, 200)).toBe(30);
});

test("of a hundred wrong passwords at once no more are verified than the limits allow (A-11)", async () => {
  const owner = await aUser(await aCompany(app));
  const ofAccount = await times(100, () => attempt(owner.email, "wrong", anAddressOf("one")));
  expect([countOf(ofAccount, 401), countOf(ofAccount, 429)]).toEqual([10, 90]);
  const ofAddress = await times(100, (n) => attempt(`nobody${n}@example.org`, "wrong", anAddressOf("two")));
  expect([countOf(ofAddress, 401), countOf(ofAddress, 429)]).toEqual([30, 70]);
  // Whoever holds the line of their own address keeps nobody else from signing in.
  expect(await attempt(owner.email, testPassword, anAddress())).toBe(200);
});

test("under attack the costs are higher, and right passwords at once get in nevertheless (A-11)", async () => {
  const owner = await aUser(await aCompany(app));
  for (let n = 0; n < 60; n += 1) {
    await attempt(owner.email, "wrong", anAddress());
  }
  const [home, attacker] = [anAddress(), anAddress()];
  const [right, wrong] = await Promise.all([
    times(10, () => attempt(owner.email, testPassword, home)),
    times(10, () => attempt(owner.email, "wrong", attacker)),
  ]);
  expect([countOf(right, 200), countOf(wrong, 401), countOf(wrong, 429)]).toEqual([10, 2, 8]);
});

test("a sign-in from a known address is two statements, each by itself, and ends the other session (A-02)", async () => {
  const owner = await aUser(await aCompany(app));
  const address = anAddress();
  // The first from there: its mail is a transaction.
  expect(await attempt(owner.email, testPassword, address)).toBe(200);
  const { result, statements, transactions } = await countStatements(() => attempt(owner.email, testPassword, address));
  // The event tail reads in the context that woke it up.
  const own = statements.filter((text) => !text.includes("from epoch"));
  expect([result, own.length, transactions]).toEqual([200, 2, 0]);
});

const named = new Map<string, string>();
function anAddressOf(name: string): string {
  const address = named.get(name) ?? anAddress();
  named.set(name, address);
  return address;
}
