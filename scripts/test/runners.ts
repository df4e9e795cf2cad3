/** Runs the test runners and reads what they report. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findOrInstallJourneyBrowser } from "../support/chromium.ts";
import { execNode } from "../support/exec.ts";
import { cache, toolPath } from "../support/paths.ts";
import { buildWebWhenChanged } from "../web-build/build.ts";
import {
  type PlaywrightReport,
  type Tally,
  type UnitReport,
  fromPlaywright,
  fromVitest,
  withExitCode,
} from "./tally.ts";
import { reportFileVariable } from "./unit-report.ts";

const reports = join(cache, "test");

/** Everything that Vitest runs: contract, server on a real database, web, wa-sim, scripts. */
export async function runUnits(filters: readonly string[]): Promise<Tally> {
  const file = freshReport("unit.json");
  const reporters = ["--reporter=default", "--reporter=./scripts/test/unit-report.ts"];
  const { ok } = await execNode(toolPath("vitest/vitest.mjs"), ["run", ...reporters, ...filters], {
    show: true,
    env: { ...process.env, [reportFileVariable]: file },
  });

  return withExitCode(fromVitest(readReport<UnitReport>(file)), ok, "Vitest");
}

/** The browser journeys, on the built web app. */
export async function runJourneys(filters: readonly string[]): Promise<Tally> {
  const PROSA_CHROMIUM = await findOrInstallJourneyBrowser();
  await buildWebWhenChanged();

  const file = freshReport("e2e.json");
  // Its own place would be the folder of temporary files, which goes with the run.
  const env = { ...process.env, PROSA_CHROMIUM, PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(cache, "playwright") };
  const trace = filters.length > 0 && !process.env.CI ? ["--trace=retain-on-failure"] : [];
  const { ok } = await execNode(toolPath("@playwright/test/cli.js"), ["test", ...trace, ...filters], {
    show: true,
    env,
  });

  return withExitCode(fromPlaywright(readReport<PlaywrightReport>(file)), ok, "Playwright");
}

/** The path of a report, with the one of the last run removed: a runner that crashes must not leave an old success. */
function freshReport(name: string): string {
  mkdirSync(reports, { recursive: true });
  const file = join(reports, name);
  rmSync(file, { force: true });
  return file;
}

/** The reports are written by pinned versions of the runners, so their shape is known. */
function readReport<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
