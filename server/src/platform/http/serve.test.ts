import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { allowEverything, exampleFeature, exampleSession, notes } from "#server/testing/example.ts";
import type { ExampleSessions } from "#server/testing/example.ts";

let app: TestApp;
const sessions: ExampleSessions = new Map();
const ana = { userId: 1, companyId: 1, sessionId: "ana" };

beforeAll(async () => {
  app = await createTestApp({ features: [exampleFeature(sessions)] });
});
afterAll(() => app.close());
beforeEach(() => {
  app.services.sessions.forgetAll();
  sessions.set("ana", exampleSession(ana));
});

test("an answer follows its contract, with times as ISO text", async () => {
  const answer = await app.as(ana).call(notes.list, { query: { pageNumber: 3 } });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ pageNumber: 3, search: "", me: 1, at: expect.stringMatching(/^\d{4}-.+Z$/) });
  expect(answer.headers["cache-control"]).toBe("no-store");
});

test("a field that breaks its schema is named with its path", async () => {
  const answer = await app.as(ana).post("/notes/0", { text: "x", tags: [{ name: {} }] });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: "ERR_VALIDATION", details: { fields: { noteId: expect.any(String) } } });

  const body = await app.as(ana).post("/notes/1", { text: "x", tags: [{ name: {} }] });
  expect(body.body).toEqual({
    error: "ERR_VALIDATION",
    message: "Texto: Muito curto! Ao menos 2 caracteres; Nome: Valor inválido",
    details: { fields: { text: "Too Short!", "tags.0.name": expect.any(String) } },
    requestId: body.headers["x-request-id"],
  });
});

test("a body that is missing is refused field by field", async () => {
  const answer = await app.as(ana).post("/notes/1");
  expect(answer.body).toMatchObject({ error: "ERR_VALIDATION", details: { fields: { text: expect.any(String) } } });
});

test.each([
  ["malformed JSON", '{"text":', "application/json", 400, "ERR_VALIDATION"],
  ["another type of body", "text=hello", "application/x-www-form-urlencoded", 400, "ERR_VALIDATION"],
  ["a prototype", '{"text":"hello","__proto__":{"isAdmin":true}}', "application/json", 400, "ERR_VALIDATION"],
  ["more than 1 MB", JSON.stringify({ text: "x".repeat(1_100_000) }), "application/json", 413, "ERR_BODY_TOO_LARGE"],
  ["U+0000", '{"text":"a\\u0000b"}', "application/json", 400, "ERR_VALIDATION"],
  [
    "U+0000 behind ten thousand brackets",
    `{"deep":${"[".repeat(10_000)}${"]".repeat(10_000)},"text":"a\\u0000b"}`,
    "application/json",
    400,
    "ERR_VALIDATION",
  ],
  ["half a surrogate pair", '{"text":"a\\ud800b"}', "application/json", 400, "ERR_VALIDATION"],
  ["another encoding", Buffer.from('{"text":"olá"}', "latin1"), "application/json", 400, "ERR_VALIDATION"],
])("%s is refused", async (_what, payload, type, status, code) => {
  const { fastify } = app.product.http;
  const authorization = `Bearer ${await app.services.tokens.issue(ana)}`;
  const answer = await fastify.inject({
    method: "POST",
    url: "/notes/1",
    payload,
    headers: { "content-type": type, authorization },
  });
  expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([status, code]);
});

test.each([
  ["what is no HTTP", "\u0016\u0003\u0001\u0000", 400],
  ["headers without end", `GET /health HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, 431],
])("%s is answered as any other mistake of the caller (E-03)", async (_what, text, status) => {
  const { port } = new URL(await app.listen());
  const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
  const [head = "", body = ""] = (await buffer(socket)).toString().split("\r\n\r\n");
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(JSON.parse(body)).toEqual({
    error: "ERR_VALIDATION",
    message: expect.any(String),
    requestId: expect.any(String),
  });
});

test("the six signs \\u0000 as text are no U+0000", async () => {
  const answer = await app.as(ana).post<{ text: string }>("/notes/1", { text: "\\u0000 and \u{1f600}" });
  expect(answer.body.text).toBe("\\u0000 and \u{1f600}");
});

test("U+0000 in an address is refused", async () => {
  const answer = await app.as(ana).get("/tickets?search=a%00b");
  expect(answer.body).toMatchObject({ error: "ERR_VALIDATION", details: { fields: { search: expect.any(String) } } });
});

test("an unknown error reveals only its request id", async () => {
  const answer = await app.as(ana).post("/notes/1", { text: "explode" });
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    error: "ERR_INTERNAL",
    message: "Ocorreu um erro! Tente de novo.",
    requestId: answer.headers["x-request-id"],
  });
});

test("a failed request leaves no event behind", async () => {
  await app.as(ana).post("/notes/41", { text: "explode" });
  await app.as(ana).post("/notes/41", { text: "stays" });
  const { rows } = await sql`select payload->>'text' as text from event_log where payload->>'noteId' = '41'`.execute(
    app.db.system,
  );
  expect(rows).toEqual([{ text: "stays" }]);
});

test("another open ticket travels inside the error (T-16)", async () => {
  const answer = await app.as(undefined).get<{ error: string }>("/fail/ERR_OTHER_OPEN_TICKET");
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: "ERR_OTHER_OPEN_TICKET" });
  expect(JSON.parse(answer.body.error)).toEqual({ id: 7, user: { name: "Ana" } });
});

test("nobody signed in is 401, a bad or old token 403, a dead session 401", async () => {
  const codeOf = async (headers: Record<string, string>) => {
    const answer = await app.as(undefined).get<{ error: string }>("/for/payers", headers);
    return [answer.status, answer.body.error];
  };
  expect(await codeOf({})).toEqual([401, "ERR_NOT_SIGNED_IN"]);
  expect(await codeOf({ authorization: "Bearer nonsense" })).toEqual([403, "ERR_SESSION_EXPIRED"]);

  sessions.delete("ana");
  const token = await app.services.tokens.issue(ana);
  expect(await codeOf({ authorization: `Bearer ${token}` })).toEqual([401, "ERR_NOT_SIGNED_IN"]);
});

test.each([
  ["a plain user", {}, { admins: 403, super: 403, rule: 403, plan: 200 }],
  ["a supervisor", { profile: "supervisor" }, { admins: 403, super: 403, rule: 200, plan: 200 }],
  ["an admin", { profile: "admin" }, { admins: 200, super: 403, rule: 200, plan: 200 }],
  ["the operator", { isSuper: true }, { admins: 200, super: 200, rule: 200, plan: 200 }],
] as const)("%s gets where the rights allow", async (_who, actor, expected) => {
  sessions.set("ana", exampleSession(ana, actor));
  const places = Object.keys(expected);
  const answers = await Promise.all(places.map((place) => app.as(ana).get(`/for/${place}`)));
  expect(Object.fromEntries(places.map((place, at) => [place, answers[at]?.status]))).toEqual(expected);
});

test("a plan without the feature is refused", async () => {
  sessions.set("ana", exampleSession(ana, {}, { plan: { ...allowEverything, useCampaigns: false } }));
  expect(await app.as(ana).get("/for/plan")).toMatchObject({
    status: 403,
    body: { error: "ERR_PLAN_WITHOUT_FEATURE", details: { feature: "useCampaigns" } },
  });
});

test("an overdue company gets only where it can pay, and only its admins do (A-03)", async () => {
  const paid = { lastDay: "2026-03-01", endsAt: new Date(Date.now() - 1000) };
  sessions.set("ana", exampleSession(ana, {}, { paid }));
  expect(await app.as(ana).get("/tickets")).toMatchObject({
    status: 403,
    body: { error: "ERR_SUBSCRIPTION_EXPIRED", details: { dueDate: "2026-03-01" } },
  });
  expect((await app.as(ana).get("/for/payers")).status).toBe(403);

  app.services.sessions.forgetAll();
  sessions.set("ana", exampleSession(ana, { profile: "admin" }, { paid }));
  expect((await app.as(ana).get("/for/payers")).status).toBe(200);
  expect((await app.as(ana).get("/tickets")).status).toBe(403);
});

test("a disabled company is refused everywhere", async () => {
  sessions.set("ana", exampleSession(ana, {}, { isActive: false }));
  expect(await app.as(ana).get("/for/payers")).toMatchObject({ status: 403, body: { error: "ERR_COMPANY_DISABLED" } });
});

test("OpenAPI contains every endpoint, and /docs needs no other host", async () => {
  const document = await app
    .as(undefined)
    .get<{ paths: Record<string, Record<string, { description: string }>> }>("/docs/json");
  expect(Object.keys(document.body.paths)).toContain("/notes/{noteId}");
  expect(document.body.paths["/for/rule"]?.["get"]?.description).toContain("dashboard:view");

  const page = await app.as(undefined).get("/docs/");
  expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test("each request is counted by its route, never by its address", async () => {
  await app.as(ana).post("/notes/4242", { text: "counted" });
  const text = await app.services.metrics.registry.metrics();
  expect(text).toContain('prosa_http_statements_count{method="POST",route="/notes/:noteId"}');
  expect(text).not.toContain("/4242");
});
