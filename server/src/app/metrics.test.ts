import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";

async function sample(app: Awaited<ReturnType<typeof createTestApp>>, words: string): Promise<number | undefined> {
  const { text } = await app.as(undefined).get("/metrics");
  const line = text.split("\n").find((each) => each.startsWith(`${words} `));
  return line === undefined ? undefined : Number(line.slice(words.length));
}

test("jobs are counted by kind, with the age of the oldest waiting one", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  expect(await sample(app, "prosa_jobs_oldest_seconds")).toBe(0);
  const longAgo = new Date(Date.now() - 3_600_000);
  // Jobs of a logged-out line wait until a QR code is scanned; they are not overdue.
  await app.db.systemTx(async (tx) => {
    tx.enqueue(null, { task: "of.a.line", payload: {}, affinity: "line:1", runAt: longAgo });
  });
  expect(await sample(app, "prosa_jobs_oldest_seconds")).toBe(0);
  await app.db.systemTx(async (tx) => {
    tx.enqueue(null, { task: "nobody.knows", payload: {}, runAt: longAgo });
    tx.enqueue(null, { task: "nobody.knows", payload: {} });
    tx.enqueue(null, { task: "something.else", payload: {}, runAt: new Date(Date.now() + 3_600_000) });
  });
  expect(await sample(app, 'prosa_jobs{state="waiting"}')).toBe(4);
  expect(await sample(app, 'prosa_jobs{state="dead"}')).toBe(0);
  expect(await sample(app, 'prosa_jobs_by_task{task="nobody.knows",state="waiting"}')).toBe(2);
  expect(await sample(app, "prosa_jobs_oldest_seconds")).toBeGreaterThanOrEqual(3_600);
});

test("the release, lines by state, and waits for a database connection", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const { text } = await app.as(undefined).get("/metrics");
  expect(text).toMatch(/^prosa_info\{version="\d+\.\d+\.\d+",roles="http,realtime,worker,lines",node="\d+[^"]*"\} 1$/m);
  expect(await sample(app, 'prosa_lines{state="DISCONNECTED"}')).toBe(0);

  const waits = 'prosa_db_waits_total{pool="requests"}';
  expect(await sample(app, waits)).toBe(0);
  // The test's pool has eight connections.
  await Promise.all(
    Array.from({ length: 12 }, () =>
      app.database.inCompany(
        1,
        async ({ raw }) => void (await raw({ name: "nap", text: "select pg_sleep(0.02)" }, [])),
      ),
    ),
  );
  expect(await sample(app, waits)).toBeGreaterThanOrEqual(4);
  expect(await sample(app, 'prosa_db_wait_seconds_total{pool="requests"}')).toBeGreaterThan(0);
  expect(await sample(app, 'prosa_db_connections{pool="requests",state="waiting"}')).toBe(0);
});
