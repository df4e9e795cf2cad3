import { expect, test } from "vitest";
import { fromPlaywright, fromVitest, summary, withExitCode } from "./tally.ts";

test("passed and failed tests of Vitest are counted", () => {
  const report = { success: false, numPassedTests: 3, numFailedTests: 1, testResults: [] };
  expect(fromVitest(report)).toEqual({ passed: 3, failed: 1 });
});

test("a test file that does not load counts as a failure, though no test of it failed", () => {
  const testResults = [{ status: "failed", assertionResults: [] }];
  const report = { success: false, numPassedTests: 3, numFailedTests: 0, testResults };
  expect(fromVitest(report)).toEqual({ passed: 3, failed: 1 });
});

test("a journey that passed at a second attempt has passed; an error outside of tests is a failure", () => {
  const report = { stats: { expected: 5, unexpected: 1, flaky: 1 }, errors: [{ message: "cannot load" }] };
  expect(fromPlaywright(report)).toEqual({ passed: 6, failed: 2 });
});

test("a runner that failed without a failed test counts as one failure", () => {
  expect(withExitCode({ passed: 7, failed: 0 }, false)).toEqual({ passed: 7, failed: 1 });
  expect(withExitCode({ passed: 7, failed: 2 }, false)).toEqual({ passed: 7, failed: 2 });
  expect(withExitCode({ passed: 7, failed: 0 }, true)).toEqual({ passed: 7, failed: 0 });
});

test("the closing line is the one that tools look for", () => {
  expect(summary({ passed: 12, failed: 0 })).toBe("12 passed, 0 failed");
});
