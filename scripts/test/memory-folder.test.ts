import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { makeMemoryFolder } from "./memory-folder.ts";

const parent = mkdtempSync(join(tmpdir(), "memory "));

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(parent, { recursive: true, force: true });
  mkdirSync(parent);
});

test("everybody may write in a folder in memory, as in /tmp, and it goes with its run", () => {
  vi.spyOn(process, "availableMemory").mockReturnValue(9e9);
  const folder = makeMemoryFolder(parent)!;
  expect(statSync(folder.path).mode & 0o7777).toBe(0o1777);
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

test("what a killed run left a day ago goes, and what another run uses stays", () => {
  vi.spyOn(process, "availableMemory").mockReturnValue(9e9);
  const [old, used] = [join(parent, "prosa-test-old"), join(parent, "prosa-test-used")];
  mkdirSync(old);
  mkdirSync(used);
  utimesSync(old, 0, 0);
  makeMemoryFolder(parent);
  expect([existsSync(old), existsSync(used)]).toEqual([false, true]);
});

test("a machine with little memory, or without such a place, keeps its temporary files on disk", () => {
  vi.spyOn(process, "availableMemory").mockReturnValue(4e9);
  expect(makeMemoryFolder(parent)).toBeUndefined();
  vi.spyOn(process, "availableMemory").mockReturnValue(9e9);
  expect(makeMemoryFolder(join(parent, "none"))).toBeUndefined();
});
