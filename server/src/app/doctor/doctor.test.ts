import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#server/platform/config/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { examine } from "./index.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "prosa-doctor-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("a healthy installation has a line for each thing, and its socket comes through (E-03)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const url = await app.listen();
  const backups = await folder();
  await writeFile(join(backups, "prosa-20260301-041000.tar.zst"), "");
  const config = readConfig({
    DATA_DIR: await folder(),
    PUBLIC_URL: url,
    PORT: new URL(url).port,
    BACKUP_DIR: backups,
  });
  const findings = await examine(config, app.db);
  const states = Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
  expect(states).toEqual({
    ...Object.fromEntries(
      [
        "database",
        "database's texts",
        "clocks",
        "connections",
        "dead jobs",
        "waiting jobs",
        "lines",
        "disk",
        "files",
        "port",
      ].map((subject) => [subject, "good"]),
    ),
    ...{ address: "good", sockets: "good", backup: "good" },
    mail: "doubtful",
  });
});

test("what is wrong is named with what to do: a proxy without sockets, a taken port, dead and late jobs, an old backup (E-03)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  await sql`insert into jobs (task, payload, run_at, max_attempts, state, died_at, created_at) values
    ('gone', '{}', now(), 1, 'dead', now(), now()),
    ('late', '{}', now() - interval '1 hour', 1, 'live', null, now() - interval '2 hours'),
    ('new', '{}', now() - interval '9 days', 1, 'live', null, now())`.execute(app.db.system);
  // Answers every path, and passes no upgrade on.
  const proxy = createServer((_, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await new Promise((resolve) => proxy.once("listening", resolve));
  const { port } = proxy.address() as AddressInfo;
  const backups = await folder();
  const old = join(backups, "prosa-20200101-041000.tar.zst");
  await writeFile(old, "");
  await utimes(old, new Date("2020-01-01"), new Date("2020-01-01"));
  const config = readConfig({
    DATA_DIR: await folder(),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOST: "127.0.0.1",
    PORT: String(port),
    BACKUP_DIR: backups,
    SMTP_URL: "smtp://127.0.0.1:1",
  });
  const findings = await examine(config, app.db);
  const wrong = findings.filter(({ state }) => state !== "good");
  expect(wrong.map(({ subject, state }) => `${subject}: ${state}`).toSorted()).toEqual([
    "address: bad",
    "backup: bad",
    "dead jobs: doubtful",
    "mail: bad",
    "port: bad",
    "sockets: bad",
    "waiting jobs: doubtful",
  ]);
  expect(wrong.filter(({ remedy }) => remedy === undefined)).toEqual([]);
});
