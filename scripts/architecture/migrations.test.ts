import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root as project } from "../support/paths.ts";
import { listHashes, listedHashes, migrationFolder, nextMigration } from "../support/migrations.ts";
import { checkMigrations } from "./migrations.ts";

/** A project with these migrations, all of them landed. */
function planted(...files: string[]) {
  const root = mkdtempSync(join(tmpdir(), "prosa-migrations-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, migrationFolder);
  mkdirSync(folder, { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  files.forEach((file) => write(file, file));
  listHashes(root, new Map());
  const landed = listedHashes(root);
  return {
    root,
    folder,
    write,
    landed,
    broken: () => checkMigrations(root).map(({ rule, file }) => [rule, file.slice(18)]),
  };
}

test("the project's own are in order", () => {
  expect(checkMigrations(project)).toEqual([]);
});

test("a landed file that was changed is found, and --fix does not hide it", () => {
  const { root, write, landed, broken } = planted("0000_a.ts", "0001_b.ts");
  expect(broken()).toEqual([]);
  write("0000_a.ts", "other words");
  expect(broken()).toEqual([["a-landed-migration-never-changes", "0000_a.ts"]]);
  listHashes(root, landed);
  expect(broken()).toEqual([["a-landed-migration-never-changes", "0000_a.ts"]]);
});

test("a landed file that is gone, or has another name, is found", () => {
  const { root, folder, landed, broken } = planted("0000_a.ts", "0001_b.ts");
  renameSync(join(folder, "0001_b.ts"), join(folder, "0001_c.ts"));
  listHashes(root, landed);
  expect(broken()).toEqual([["a-landed-migration-never-changes", "0001_b.ts"]]);
});

test("a new file is listed by --fix, and follows when it is renumbered before it lands", () => {
  const { root, folder, write, landed, broken } = planted("0000_a.ts");
  expect(nextMigration(root)).toBe("0001");
  write("0001_new.ts", "new");
  expect(broken()).toEqual([["migrations-are-listed", "0001_new.ts"]]);
  listHashes(root, landed);
  expect(broken()).toEqual([]);

  // Meanwhile another one landed under that number.
  write("0001_other.ts", "other");
  renameSync(join(folder, "0001_new.ts"), join(folder, "0002_new.ts"));
  listHashes(root, landed);
  expect(broken()).toEqual([]);
});

test("two files of one number and a number left out are found", () => {
  expect(planted("0000_a.ts", "0001_b.ts", "0001_c.ts").broken()).toEqual([
    ["migrations-follow-each-other", "0001_c.ts"],
  ]);
  expect(planted("0000_a.ts", "0002_b.ts").broken()).toEqual([["migrations-follow-each-other", "0002_b.ts"]]);
});

test("the gaps of the past are none", () => {
  const files = ["0000", "0001", "0002", "0003", "0004", "0005", "0006", "0008"].map((number) => `${number}_x.ts`);
  expect(planted(...files).broken()).toEqual([]);
});
