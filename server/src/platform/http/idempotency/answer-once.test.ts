import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createKeyRotation, createVault } from "#server/platform/auth/index.ts";
import type { AccessClaims } from "#server/platform/auth/index.ts";
import { createTestApp, testSecret } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { exampleFeature, exampleSession } from "#server/testing/example.ts";
import type { ExampleSessions } from "#server/testing/example.ts";
import { answerContext } from "./answered-requests.ts";
import { pruneAnswers, sealedAnswers } from "./index.ts";

let app: TestApp;
const sessions: ExampleSessions = new Map();
const ana = { userId: 1, companyId: 1, sessionId: "ana" };
const bia = { userId: 2, companyId: 1, sessionId: "bia" };
const eva = { userId: 1, companyId: 2, sessionId: "eva" };

beforeAll(async () => {
  app = await createTestApp({ features: [exampleFeature(sessions)] });
  await sql`insert into companies (id, name) overriding system value values (1, 'one'), (2, 'two')`.execute(
    app.db.system,
  );
});
afterAll(() => app.close());
beforeEach(() => {
  app.services.sessions.forgetAll();
  for (const claims of [ana, bia, eva]) {
    sessions.set(claims.sessionId, exampleSession(claims));
  }
});

const write = (who: AccessClaims, key: string, text: string, noteId = 1) =>
  app.as(who).post<{ id: number; text: string }>(`/notes/${noteId}`, { text }, { "idempotency-key": key });
async function written(text: string): Promise<number> {
  const { rows } = await sql`select from event_log where payload->>'text' = ${text}`.execute(app.db.system);
  return rows.length;
}
const newKey = () => crypto.randomUUID();

test("what is sent again under its key is done once and answered alike, also at the same time", async () => {
  const key = newKey();
  const answers = await Promise.all([write(ana, key, "once"), write(ana, key, "once"), write(ana, key, "once")]);
  answers.push(await write(ana, key, "once"));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, { id: 1, text: "once" }]));
  expect(answers.map(({ headers }) => headers["content-type"])).toEqual(
    answers.map(() => "application/json; charset=utf-8"),
  );
  expect(await written("once")).toBe(1);

  await write(ana, newKey(), "once");
  expect(await written("once")).toBe(2);
  await app.as(ana).post("/notes/1", { text: "once" });
  expect(await written("once")).toBe(3);
});

test("a key is its caller's alone: a colleague, a company and a key of the API with the same one write their own", async () => {
  const key = newKey();
  const byKey = { ...ana, sessionId: "by-key" };
  sessions.set("by-key", exampleSession(byKey, { apiKey: { id: "11", name: "crm" } }));
  for (const who of [ana, bia, eva, byKey]) {
    expect(await write(who, key, "alone")).toMatchObject({ status: 200 });
  }
  expect(await written("alone")).toBe(4);
});

test("another route or content under a key that was used, and a key too short or long, are refused", async () => {
  const key = newKey();
  await write(ana, key, "route");
  for (const [wrong, noteId, text] of [
    [key, 2, "route"],
    [key, 1, "routes"],
    ["short", 1, "route"],
    ["x".repeat(65), 1, "route"],
  ] as const) {
    expect(await write(ana, wrong, text, noteId)).toMatchObject({
      status: 400,
      body: { error: "ERR_VALIDATION", details: { fields: { "idempotency-key": expect.any(String) } } },
    });
  }
  expect([await written("route"), await written("routes")]).toEqual([1, 0]);
});

test("the same content in another order, or with what a client may leave out, is the same request", async () => {
  const headers = { "idempotency-key": newKey() };
  for (const body of [{ text: "ordered" }, { tags: [], text: "ordered" }, { text: "ordered", tags: [], more: 1 }]) {
    expect(await app.as(ana).post("/notes/1", body, headers)).toMatchObject({ status: 200 });
  }
  expect(await written("ordered")).toBe(1);
});

test("other fields or other files of a form are another request", async () => {
  const headers = { "idempotency-key": newKey() };
  const send = (title: string, ...names: readonly string[]) => {
    const form = new FormData();
    form.append("title", title);
    names.forEach((name) => form.append("medias", new File(["x"], name)));
    return app.as(ana).post("/notes/files", form, headers);
  };
  const first = await send("Fotos", "a.txt");
  expect([first.status, (await send("Fotos", "a.txt")).body]).toEqual([200, first.body]);
  expect([(await send("Foto", "a.txt")).status, (await send("Fotos", "b.txt")).status]).toEqual([400, 400]);
});

test("an error frees the key", async () => {
  const key = newKey();
  expect(await write(ana, key, "explode")).toMatchObject({ status: 500 });
  expect(await write(ana, key, "mended")).toMatchObject({ status: 200, body: { text: "mended" } });
});

test("an answer is sealed, and kept for a day (A-10)", async () => {
  const key = newKey();
  await write(ana, key, "a secret that is shown once");
  const { rows } = await sql<{ row: string; answer: Buffer }>`
    select answered::text as row, answer from answered_requests answered where key = ${key}`.execute(app.db.system);
  expect(rows).toHaveLength(1);
  expect(rows[0]!.row + rows[0]!.answer.toString("latin1")).not.toContain("secret");

  const { db, clock, log } = app.services;
  const prune = () => pruneAnswers.run({ db, clock, log, signal: new AbortController().signal });
  await prune();
  await write(ana, key, "a secret that is shown once");
  expect(await written("a secret that is shown once")).toBe(1);

  await sql`update answered_requests set created_at = now() - interval '25 hours' where key = ${key}`.execute(
    app.db.system,
  );
  await prune();
  await write(ana, key, "a secret that is shown once");
  expect(await written("a secret that is shown once")).toBe(2);
});

test("a kept answer is sealed anew after a rotation of SECRET_KEY", async () => {
  const key = newKey();
  await write(ana, key, "rotated");
  const newer = "another secret that only tests know, of 32 signs and more";
  const { db, clock, log } = app.services;
  const rotation = createKeyRotation(createVault([newer, testSecret]), [sealedAnswers]);
  await rotation.run({ db, clock, log, signal: new AbortController().signal });
  const { rows } = await sql<{ answer: Buffer }>`
    select answer from answered_requests where company_id = 1 and key = ${key}`.execute(app.db.system);
  const context = answerContext({ companyId: 1, caller: "user:1", key });
  expect(createVault([newer]).open(rows[0]!.answer, context).toString()).toContain('{"id":1,"text":"rotated"}');
});

test("the API's document names the header where it holds", async () => {
  const { body } = await app
    .as(undefined)
    .get<{ paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>> }>("/docs/json");
  const named = (path: string, method: string) =>
    body.paths[path]?.[method]?.parameters.some((each) => each.in === "header" && each.name === "idempotency-key");
  expect([named("/notes/{noteId}", "post"), named("/tickets", "get")]).toEqual([true, false]);
});
