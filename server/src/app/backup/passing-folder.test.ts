import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPassingFolder } from "./passing-folder.ts";

test("two backups at once have a folder each, and what a killed process left goes (E-03)", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-passing-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const all = join(dataDir, "backups-passing");
  // Of a process that is gone: no system has so many.
  const left = join(all, `${hostname()}.999999999.abcdef`);
  const elsewhere = join(all, "other.host.1.abcdef");
  await mkdir(left, { recursive: true });
  await mkdir(elsewhere);
  const one = await openPassingFolder({ dataDir });
  await writeFile(join(one.folder, "backup"), "half of it");
  const other = await openPassingFolder({ dataDir });
  expect(one.folder).not.toBe(other.folder);
  await other.dispose();
  expect(await readdir(one.folder)).toEqual(["backup"]);
  await one.dispose();
  expect(await readdir(all)).toEqual(["other.host.1.abcdef"]);
});
