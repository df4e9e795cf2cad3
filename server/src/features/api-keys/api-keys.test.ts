import { apiKeys, apiNouns, contacts, hasScope, scopeOf, tags, tickets, users } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aUser } from "#server/testing/factories.ts";
import { endpoints } from "#server/testing/rights/calls.ts";

const clock = createMovedClock(new Date("2026-11-25T12:00:00Z"));
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock });
});
afterAll(() => app.close());

async function aKey(
  body: { readonly profile?: "user" | "supervisor" | "admin"; readonly scopes: readonly string[]; expiresAt?: string },
  company?: Awaited<ReturnType<typeof aCompany>>,
) {
  const of = company ?? (await aCompany(app, { isOperator: true }));
  const made = await app.as(of.admin).call(apiKeys.create, { body: { name: "Loja", ...body } as never });
  expect(made.status).toBe(200);
  const headers = { authorization: `Bearer ${made.body.key}` };
  return { company: of, made: made.body, headers, stranger: app.as(undefined) };
}

test("a key reaches what its scopes name, as its maker, in its role and its company alone (V-06)", async () => {
  const { company, made, headers, stranger } = await aKey({ scopes: ["contacts:write", "tags:read", "users:read"] });
  expect(made.key).toMatch(/^prosa_[\w-]{43}$/u);
  const line = await aConnection(company);
  const body = { name: "Ana", number: "5511988887777" };
  const contact = await stranger.post<{ id: number }>("/contacts", body, headers);
  expect(contact.status).toBe(200);
  const statusOf = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body: refused } = await answer;
    return [status, (refused as { error?: string }).error];
  };
  expect(await statusOf(stranger.get("/contacts", headers))).toEqual([200, undefined]);
  expect(await statusOf(stranger.get("/tags", headers))).toEqual([200, undefined]);
  const refused = [403, "ERR_NO_PERMISSION"];
  expect(await statusOf(stranger.post("/tags", { name: "VIP", color: "#fff" }, headers))).toEqual(refused);
  expect(await statusOf(stranger.get("/tickets", headers))).toEqual(refused);
  // nobody's key makes keys, and no key is the operator
  expect(await statusOf(stranger.get("/api-keys", headers))).toEqual(refused);
  expect(await statusOf(stranger.get("/companies", headers))).toEqual(refused);
  // the role is the key's: an agent deletes no contact
  expect(await statusOf(stranger.delete(`/contacts/${contact.body.id}`, undefined, headers))).toEqual(refused);
  // the neighbour's row is not there
  const neighbour = await aCompany(app);
  const theirs = await aContact(neighbour, { name: "Zé", number: "5511977776666" });
  expect(await statusOf(stranger.get(`/contacts/${theirs.id}`, headers))).toEqual([404, "ERR_NO_CONTACT_FOUND"]);
  expect(line.id).toBeGreaterThan(0);
});

test("a key is hashed, shown once, used for the last time at, and ends by expiry or revocation at once (V-06)", async () => {
  const expiresAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const { company, made, headers, stranger } = await aKey({ scopes: ["contacts:read"], expiresAt });
  const { rows } = await sql`select * from api_keys where id = ${made.id}`.execute(app.db.system);
  expect(JSON.stringify(rows)).not.toContain(made.key);
  const admin = app.as(company.admin);
  const listed = async () => (await admin.call(apiKeys.list)).body.apiKeys.find(({ id }) => id === made.id);
  expect(await listed()).toMatchObject({ lastUsedAt: null, revokedAt: null, beginning: made.key.slice(0, 12) });
  expect((await stranger.get("/contacts", headers)).status).toBe(200);
  expect(await listed()).toMatchObject({ lastUsedAt: clock.now().toISOString() });
  expect((await admin.call(apiKeys.list)).text).not.toContain(made.key);

  clock.advance({ hours: 2 });
  expect((await stranger.get("/contacts", headers)).status).toBe(401);
  const second = await aKey({ scopes: ["contacts:read"] }, company);
  expect((await stranger.get("/contacts", second.headers)).status).toBe(200);
  const revoked = await admin.call(apiKeys.remove, { params: { id: second.made.id } });
  expect(revoked.body.revokedAt).not.toBeNull();
  expect((await stranger.get("/contacts", second.headers)).status).toBe(401);
});

test("a key is never more than its maker, who may have lost rights or left since (V-06)", async () => {
  const company = await aCompany(app);
  const second = await aUser(company, { profile: "admin", name: "Bia" });
  const made = await app.as(second).call(apiKeys.create, {
    body: { name: "Da Bia", profile: "admin", scopes: ["contacts:write", "users:read"] },
  });
  const headers = { authorization: `Bearer ${made.body.key}` };
  const contact = await aContact(company, { name: "Ana", number: "5511966665555" });
  const admin = app.as(company.admin);
  await admin.call(users.update, { params: { id: second.userId }, body: { profile: "user" } });
  const stranger = app.as(undefined);
  expect((await stranger.delete(`/contacts/${contact.id}`, undefined, headers)).status).toBe(403);
  expect((await stranger.get("/contacts", headers)).status).toBe(200);
  await admin.call(users.remove, { params: { id: second.userId } });
  expect((await stranger.get("/contacts", headers)).status).toBe(401);
  const past = new Date(clock.now().getTime() - 1).toISOString();
  const late = await admin.call(apiKeys.create, { body: { name: "Tarde", scopes: ["tags:read"], expiresAt: past } });
  expect([late.status, late.body as unknown]).toMatchObject([400, { error: "ERR_VALIDATION" }]);
});

test("each call of the contract has a scope, or is one that no key may make (V-06)", () => {
  const without = [...endpoints].filter(
    ([, { access, method, path }]) => ["session", "admin"].includes(access.who) && !scopeOf({ method, path }),
  );
  const paths = [...new Set(without.map(([, { path }]) => path.split("/")[1] ?? ""))].toSorted();
  const closed = [
    "api-keys",
    "audit",
    "auth",
    "company-exports",
    "first-steps",
    "helps",
    "invoices",
    "privacy",
    "prompt",
    "push",
    "queueIntegration",
    "simulator",
    "subscription",
    "support",
  ];
  // Of these nouns only what makes accounts, or tells an endpoint everything.
  expect(paths).toEqual([...closed, "users", "webhooks"].toSorted());
  const reached = new Set([...endpoints.values()].map(({ path }) => scopeOf({ method: "GET", path })?.split(":")[0]));
  expect(apiNouns.filter((noun) => !reached.has(noun))).toEqual([]);
  expect([hasScope(["tags:write"], "tags:read"), hasScope(["tags:read"], "tags:write")]).toEqual([true, false]);
  const needed = [tickets.list, contacts.create, tags.update].map(scopeOf);
  expect(needed).toEqual(["tickets:read", "contacts:write", "tags:write"]);
});
