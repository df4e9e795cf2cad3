import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../support/paths.ts";
import { isWanted, starterScript } from "./bundle.ts";

test("a bundle carries what runs, and nothing that only developers need", () => {
  const wanted = [
    "server/src/main.ts",
    "server/migrations/0000_platform.ts",
    "web/dist/index.html",
    "wa-sim/src/main.ts",
  ];
  const unwanted = [
    "server/src/app/app.test.ts",
    "server/src/testing/app.ts",
    "server/src/platform/jobs/hanging-runner.fixture.ts",
    "server/node_modules/pg/index.js",
    "wa-sim/test/control.test.ts",
    "server/tsconfig.json",
  ];
  expect([...wanted, ...unwanted].filter((path) => isWanted(join(root, path)))).toEqual(wanted);
});

test("a release that was unpacked beside the one with the data starts nothing and names both folders (E-03)", () => {
  const parent = mkdtempSync(join(tmpdir(), "prosa bundle-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const [before, after] = ["prosa-1.0.0-linux-x64", "prosa-1.1.0-linux-x64"].map((name) => join(parent, name));
  for (const folder of [before!, after!]) {
    mkdirSync(join(folder, "bin"), { recursive: true });
    // in place of Node
    writeFileSync(join(folder, "node"), '#!/bin/sh\necho "$DATA_DIR"\n', { mode: 0o755 });
    writeFileSync(join(folder, "bin/prosa"), starterScript("node"), { mode: 0o755 });
  }
  const start = (folder: string, env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(join(folder, "bin/prosa"), [], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], ...env },
    });
    return [status, stdout.trim() + stderr];
  };
  expect(start(before!)).toEqual([0, join(before!, "data")]);
  mkdirSync(join(before!, "data"));
  expect(start(before!)).toEqual([0, join(before!, "data")]);
  const refusal = `There are data in ${join(before!, "data")}, and none in ${join(after!, "data")} yet.`;
  expect(start(after!)).toEqual([1, expect.stringContaining(refusal)]);
  expect(start(after!, { DATA_DIR: join(before!, "data") })).toEqual([0, join(before!, "data")]);
  mkdirSync(join(after!, "data"));
  expect(start(after!)).toEqual([0, join(after!, "data")]);
});
