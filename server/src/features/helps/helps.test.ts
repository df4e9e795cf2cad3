import { helps } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import type { TestUser } from "#server/testing/factories.ts";

let app: TestApp;
let operator: TestUser;
let agent: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = (await aCompany(app, { isOperator: true })).admin;
  agent = await aUser(await aCompany(app));
});
afterAll(() => app.close());

const first = { title: "Primeiros passos", description: "Como atender.", video: "dQw4w9WgXcQ" };

test("all companies see what the operator adds, changes and deletes (Y-03)", async () => {
  const { body: made } = await app.as(operator).call(helps.create, { body: first });
  const other = await app.as(operator).call(helps.create, { body: { title: "Filas", video: "aaaaaaaaa-_" } });
  expect(made).toEqual({ id: expect.any(Number), ...first });
  expect((await app.as(agent).call(helps.lookup)).body).toEqual([made, other.body]);

  const params = { id: made.id };
  const { body: changed } = await app.as(operator).call(helps.update, { params, body: { title: "O começo" } });
  expect(changed).toEqual({ ...made, title: "O começo" });
  const found = await app.as(agent).call(helps.list, { query: { searchParam: "COMECO" } });
  expect(found.body).toEqual({ helps: [changed], count: 1, hasMore: false });

  expect((await app.as(operator).call(helps.remove, { params })).status).toBe(200);
  expect((await app.as(operator).call(helps.remove, { params })).status).toBe(404);
  expect((await app.as(operator).call(helps.update, { params, body: {} })).status).toBe(404);
  expect((await app.as(agent).call(helps.lookup)).body).toEqual([other.body]);
});

test.each([
  "",
  "dQw4w9WgXc",
  "dQw4w9WgXcQQ",
  "dQw4w9WgXc/",
  "../../../abc",
  "a?autoplay=",
  "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  '"><script>a',
])("%j is refused as a video id (Y-03)", async (video) => {
  const answer = await app.as(operator).call(helps.create, { body: { ...first, video } });
  expect([answer.status, answer.body]).toMatchObject([400, { details: { fields: { video: expect.any(String) } } }]);
});

test("only operators may change them; strangers may not read them (Y-04)", async () => {
  const calls = [
    [helps.create, { body: first }],
    [helps.update, { params: { id: 1 }, body: first }],
    [helps.remove, { params: { id: 1 } }],
  ] as const;
  for (const [call, input] of calls) {
    expect((await app.as(agent).call(call, input as never)).status).toBe(403);
  }
  expect((await app.as(undefined).call(helps.lookup)).status).toBe(401);
});
