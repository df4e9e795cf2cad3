/** How many tests passed and failed? */

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export const none: Tally = { passed: 0, failed: 0 };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** Checks are no tests: one that passes adds nothing, one that fails must not go unseen. */
export function fromChecks(failedChecks: readonly string[]): Tally {
  return { passed: 0, failed: failedChecks.length };
}

/** What Vitest's JSON reporter wrote. A file that could not even be loaded has no test, and counts as one failure. */
export interface VitestReport {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

export function fromVitest(report: VitestReport): Tally {
  const broken = report.testResults.filter(({ status, assertionResults }) => {
    return status === "failed" && assertionResults.length === 0;
  });
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

/**
 * What Playwright's JSON reporter wrote. Errors outside of tests, such as a file that does not load, are failures. What
 * passed at a second attempt (only where `CI` is set: playwright.config.ts) has passed, and Playwright lists it as flaky.
 */
export interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly errors: readonly unknown[];
}

export function fromPlaywright({ stats, errors }: PlaywrightReport): Tally {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length };
}

/** A runner that failed without naming a failed test (a crash, an unhandled rejection) still counts as one. */
export function withExitCode(tally: Tally, ok: boolean): Tally {
  return ok || tally.failed > 0 ? tally : { ...tally, failed: 1 };
}

/** The plain closing line that tools look for. */
export function summary({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}
