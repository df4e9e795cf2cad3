import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packageName, startEmbedded } from "#server/platform/db/index.ts";
import { testLog } from "#server/testing/database.ts";
import { contentsOf, onOwner } from "#server/testing/released/catalog.ts";
import { restoreDump } from "#server/testing/released/dump.ts";
import { releasedSchemas } from "#server/testing/released/seed.ts";
import { migrateToLatest } from "#server/platform/db/index.ts";
import { carryOver } from "./index.ts";

// No older PostgreSQL is installed with the packages: both servers are of one version here, and by hand one was of 17.
test("an embedded database is carried over whole, and its folder kept; refused while Prosa runs; killed between the renames it ends at the next start (E-03)", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-carry-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = dirname(dirname(createRequire(import.meta.url).resolve(packageName())));
  const options = { dataDir, postgres, log: testLog, onProgress: () => undefined };
  const old = await startEmbedded({ dataDir, log: testLog });
  await migrateToLatest({ url: old.url, log: testLog, upTo: "0000" });
  await onOwner(old.url, "drop schema public cascade").then(() => onOwner(old.url, "create schema public"));
  await restoreDump(old.url, releasedSchemas[0]!.migration);
  const before = await contentsOf(old.url);
  // a connection, as a running Prosa has it
  const refused = onOwner(old.url, "select pg_sleep(30)").catch(() => undefined);
  await expect
    .poll(() => onOwner(old.url, "select 1 from pg_stat_activity where query = 'select pg_sleep(30)'"))
    .not.toEqual([]);
  await expect(carryOver(options, new Date())).rejects.toThrow("stop it first");
  // whose server goes on
  expect((await onOwner(old.url, "select 1 from pg_stat_activity where query = 'select pg_sleep(30)'")).length).toBe(1);
  await old.stop();
  await refused;

  // it comes and leaves while rows are compared
  const onProgress = async (words: string) => {
    if (words.startsWith("Comparing")) {
      await onOwner(old.url, "update companies set name = name");
    }
  };
  await expect(carryOver({ ...options, onProgress }, new Date())).rejects.toThrow("ran on this database meanwhile");
  expect(await readdir(dataDir)).not.toContain("postgres-carried");

  const { kept, tables } = await carryOver(options, new Date());
  expect([kept, tables > 40]).toEqual([join(dataDir, "postgres-18"), true]);
  expect((await readdir(dataDir)).toSorted()).toEqual(expect.arrayContaining(["postgres", "postgres-18"]));

  // as kill -9 leaves it after the old folder has left
  await cp(join(dataDir, "postgres"), join(dataDir, "postgres.ready"), { recursive: true, preserveTimestamps: true });
  await rm(join(dataDir, "postgres"), { recursive: true });
  const next = await startEmbedded({ dataDir, log: testLog });
  onTestFinished(() => next.stop());
  expect(await contentsOf(next.url, before)).toEqual(before);
});
