/** A reporter of Vitest that keeps what the sum of a run needs: how many passed, and which failed or passed only again. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { TestModule } from "vitest/node";
import type { UnitReport } from "./tally.ts";

/** The variable that says where the report is to be written. */
export const reportFileVariable = "PROSA_UNIT_REPORT";

/** What Vitest loads by its path (runners.ts). */
export default class UnitReporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env[reportFileVariable];
    if (!file) {
      return;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(reportOf(modules)));
  }
}

function reportOf(modules: readonly TestModule[]): UnitReport {
  const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => ({ module, test })));
  const named = (wanted: typeof tests) =>
    wanted.map(({ module, test }) => {
      // What passed when run again keeps the error of its first attempt.
      const [reason = ""] = test.result().errors?.[0]?.message.split("\n") ?? [];
      return `${module.relativeModuleId} › ${test.fullName} (${reason})`;
    });
  const failed = tests.filter(({ test }) => test.result().state === "failed");
  const broken = modules.filter(
    (module) => module.state() === "failed" && failed.every((one) => one.module !== module),
  );

  return {
    passed: tests.filter(({ test }) => test.result().state === "passed").length,
    failed: [...named(failed), ...broken.map(({ relativeModuleId }) => relativeModuleId)],
    flaky: named(tests.filter(({ test }) => test.diagnostic()?.flaky)),
  };
}
