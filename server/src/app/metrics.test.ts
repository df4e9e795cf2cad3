import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMetrics } from "#server/platform/metrics/index.ts";
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
  // depth and age of the queue; a job is late from when it was enqueued
  expect(await sample(app, 'prosa_jobs_due{priority="notice",bound="none"}')).toBe(2);
  expect(await sample(app, 'prosa_jobs_due{priority="notice",bound="line"}')).toBe(1);
  expect(await sample(app, 'prosa_jobs_due{priority="interactive",bound="none"}')).toBe(0);
  const age = await sample(app, 'prosa_jobs_due_seconds{priority="notice",bound="none"}');
  expect(age).toBeGreaterThan(0);
  expect(age).toBeLessThan(60);
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

test("a line's sends have time series of their own up to a hundred lines, and pools, disk and backups their limits", async () => {
  const folder = await mkdtemp(join(tmpdir(), "prosa-metrics-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "prosa-20260301-041000.tar.zst");
  await writeFile(file, "");
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(file, hourAgo, hourAgo);
  const app = await createTestApp({ closeAfterTest: true, env: { BACKUP_DIR: folder } });
  for (let line = 1; line <= 150; line += 1) {
    app.services.metrics.observeSend(line, 0.2);
  }
  expect(await sample(app, 'prosa_send_seconds_count{line="100"}')).toBe(1);
  expect(await sample(app, 'prosa_send_seconds_count{line="101"}')).toBeUndefined();
  expect(await sample(app, 'prosa_send_seconds_count{line="other"}')).toBe(50);
  expect(await sample(app, 'prosa_db_connections_max{pool="requests"}')).toBe(8);
  expect(await sample(app, "prosa_tail_behind_ms")).toBe(0);
  expect(await sample(app, "prosa_disk_free_bytes")).toBeGreaterThan(0);
  expect(await sample(app, "prosa_backup_age_seconds")).toBeGreaterThanOrEqual(3_599);
  await app.db.systemTx(async (tx) => tx.enqueue(null, { task: "events.prune", payload: {} }));
  await app.db.systemTx(async (tx) => tx.enqueue(null, { task: "cron:events.prune", payload: {} }));
  await app.settle();
  expect(await sample(app, 'prosa_job_seconds_count{task="cron:events.prune",outcome="done"}')).toBe(1);
});

test("every metric of the dashboard and the alert rules in deploy exists on /metrics", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const ofProcess = createMetrics({ withProcess: true });
  onTestFinished(() => ofProcess.stop());
  const { text } = await app.as(undefined).get("/metrics");
  const names = new Set(`${text}\n${await ofProcess.registry.metrics()}`.match(/(?<=^# TYPE )\w+/gmu));
  const deploy = join(import.meta.dirname, "../../../deploy");
  for (const file of ["grafana-dashboard.json", "prometheus-alerts.yaml"]) {
    const used = new Set((await readFile(join(deploy, file), "utf8")).match(/\b(?:prosa|process|nodejs)_\w+/gu));
    expect(used.size).toBeGreaterThan(10);
    const isThere = (name: string) => names.has(name) || names.has(name.replace(/_(?:bucket|count|sum)$/u, ""));
    expect([...used].filter((name) => !isThere(name))).toEqual([]);
  }
});
