import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { cache } from "../support/paths.ts";
import { makeMemoryFolder } from "./memory-folder.ts";

const parent = join(cache, "test", "memory folder");
/** The machine that runs this may be short of both. */
const anyMachine = { parent, leastRoom: 0, leastMemory: 0 };

beforeEach(() => {
  rmSync(parent, { recursive: true, force: true });
  mkdirSync(parent, { recursive: true });
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test("everybody may write in a folder in memory, as in /tmp, and it goes with its run", () => {
  const folder = makeMemoryFolder(anyMachine)!;
  expect(statSync(folder.path).mode & 0o7777).toBe(0o1777);
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

test("what a killed run left a day ago goes; what another run uses, and what is no folder, stays", () => {
  const [old, used, link] = ["old", "used", "link"].map((name) => join(parent, `prosa-test-${name}`)) as [
    string,
    string,
    string,
  ];
  mkdirSync(old);
  mkdirSync(used);
  symlinkSync(link, link);
  utimesSync(old, 0, 0);
  expect(makeMemoryFolder(anyMachine)).toBeDefined();
  expect([existsSync(old), existsSync(used)]).toEqual([false, true]);
});

test("with little memory, little room or no such place, temporary files stay on disk", () => {
  expect(makeMemoryFolder({ ...anyMachine, leastMemory: Infinity })).toBeUndefined();
  expect(makeMemoryFolder({ ...anyMachine, leastRoom: Infinity })).toBeUndefined();
  expect(makeMemoryFolder({ ...anyMachine, parent: join(parent, "none") })).toBeUndefined();
});
