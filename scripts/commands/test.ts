import { constants } from "node:os";
import { findOrInstallJourneyBrowser } from "../support/chromium.ts";
import { runChecks } from "../support/checks.ts";
import { endPrograms } from "../support/exec.ts";
import { LaunchError } from "../launcher/error.mjs";
import { makeMemoryFolder } from "../test/memory-folder.ts";
import { runJourneys, runUnits } from "../test/runners.ts";
import { type Tally, add, fromChecks, none, summary } from "../test/tally.ts";
import { buildWebWhenChanged } from "../web-build/build.ts";
import { checkFirstLoad } from "../web-build/first-load.ts";

/** The stages in the order in which they run: cheap ones first. */
const stages: Readonly<Record<string, (filters: readonly string[]) => Promise<Tally>>> = {
  check: async () => fromChecks(await runChecks()),
  unit: runUnits,
  build: runBuild,
  e2e: runJourneys,
};

/**
 * `npm test` runs every stage; `npm test -- unit e2e` only the named ones; other words are handed to the runners as
 * filters of file names: `npm test -- unit tickets`. A failing stage does not keep the later ones from running.
 */
export async function run(args: readonly string[]): Promise<void> {
  const named = args.filter((word) => Object.hasOwn(stages, word));
  const filters = args.filter((word) => !Object.hasOwn(stages, word));
  const wanted = Object.keys(stages).filter((stage) => named.length === 0 || named.includes(stage));

  keepTemporaryFilesInMemory();

  // Installing a browser takes longer than the checks, so it happens beside them.
  const chromium = wanted.includes("e2e") ? findOrInstallJourneyBrowser() : undefined;
  chromium?.catch(() => {}); // told by the stage that needs it

  let total = none;
  const times: string[] = [];
  for (const stage of wanted) {
    console.log(`\n── ${stage} ──`);
    const startedAt = performance.now();
    total = add(total, await tallyOf(stage, () => stages[stage]!(filters)));
    times.push(`${stage} ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }

  console.log(`\n${times.join(", ")}`);
  console.log(summary(total));
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

/** Temporary files are in memory where there is room, until this process ends; a signal lets the programs end that use them. */
function keepTemporaryFilesInMemory(): void {
  const folder = process.env.TMPDIR === undefined ? makeMemoryFolder() : undefined;
  if (folder === undefined) {
    return;
  }
  process.env.TMPDIR = folder.path;
  process.once("exit", () => folder.remove());
  let ending: Promise<never> | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // The first one counts: where npm has died of it, the launcher sends another a moment later.
    process.on(signal, () => {
      ending ??= endPrograms(signal).then(() => process.exit(128 + constants.signals[signal]));
    });
  }
}

/** A stage that breaks down counts as one failed test, so that the sum never looks better than the run. */
async function tallyOf(name: string, stage: () => Promise<Tally>): Promise<Tally> {
  try {
    return await stage();
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : error);
    const [reason = ""] = String(error instanceof Error ? error.message : error).split("\n");
    return { passed: 0, failed: 1, failures: [`${name} broke down (${reason})`] };
  }
}

async function runBuild(): Promise<Tally> {
  await buildWebWhenChanged();
  return fromChecks(checkFirstLoad() ? [] : ["first load of the desk over its budget"]);
}
