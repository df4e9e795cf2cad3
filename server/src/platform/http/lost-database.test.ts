import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import { onServer } from "#server/testing/server.ts";

test("whatever moment the database is killed at, the answer is 200 or 503, never 500 (E-03)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const { admin } = await aCompany(app);
  const killAll = () =>
    onServer(app.database.url, (client) =>
      client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
        new URL(app.database.url).pathname.slice(1),
      ]),
    );
  let tag = 0;
  const ask = () =>
    (tag += 1) % 2 === 0
      ? app.as(admin).post("/tags", { name: `Tag ${tag}`, color: "#102030" })
      : app.as(admin).get("/tickets");

  const answers: { status: number; text: string }[] = [];
  for (let round = 0; round < 20; round += 1) {
    const asked = Array.from({ length: 15 }, ask);
    await sleep(Math.random() * 8);
    const killed = killAll();
    answers.push(...(await Promise.all([...asked, ...Array.from({ length: 15 }, ask)])));
    await killed;
  }
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(answers.some(({ status }) => status === 503)).toBe(true);
});
