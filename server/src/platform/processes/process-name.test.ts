import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isKnownDead, processName } from "./process-name.ts";

const [place = ""] = processName().split(":");

test.runIf(process.platform === "linux")("an ended process of this host is known to be dead", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  expect(isKnownDead(`${place}:${pid}:ab12`)).toBe(true);
});

test("a running process is not, nor one of another host, nor an invalid name", () => {
  expect(isKnownDead(processName())).toBe(false);
  expect(isKnownDead(`${place}:1:ab12`)).toBe(false);
  expect(isKnownDead("elsewhere:999999:ab12")).toBe(false);
  expect(isKnownDead("the old owner")).toBe(false);
});

test("two processes never have the same name", () => {
  expect(processName()).not.toBe(processName());
});
