import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installPackages, prepareNode } from "./install.mjs";

test("what installations left that were killed goes at the next start, and that of a running one stays (Z-05)", () => {
  const folder = mkdtempSync(join(tmpdir(), "prosa-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lock = JSON.stringify({ packages: {} });
  const stamp = [createHash("sha256").update(lock).digest("hex"), process.platform, process.arch].join(" ");
  const running = `node-aside-${process.pid}-b2`;
  for (const name of [
    "node_modules",
    ".cache/node-aside-Zx81a0/bin",
    ".cache/node-aside-4194999-a1/bin",
    `.cache/${running}`,
    ".cache/web",
  ]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, "package-lock.json"), lock);
  writeFileSync(join(folder, "node_modules/.prosa-lock"), stamp);
  installPackages(folder);
  expect(readdirSync(join(folder, ".cache")).toSorted()).toEqual([running, "web"]);
});

test("the Node of the packages runs, and is not the one that npm's scripts find first (Z-05)", () => {
  const folder = mkdtempSync(join(tmpdir(), "prosa-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, "node_modules");
  const node = `node-${process.platform}-${process.arch}/bin/node`;
  mkdirSync(join(modules, ".bin"), { recursive: true });
  mkdirSync(join(modules, node, ".."), { recursive: true });
  writeFileSync(join(modules, node), "", { mode: 0o644 });
  writeFileSync(join(modules, ".bin/vitest"), "");
  symlinkSync(`../${node}`, join(modules, ".bin/node"));
  prepareNode(folder);
  expect(readdirSync(join(modules, ".bin"))).toEqual(["vitest"]);
  expect(statSync(join(modules, node)).mode & 0o111).toBe(0o111);
  prepareNode(folder);
});
