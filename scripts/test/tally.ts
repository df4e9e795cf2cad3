/** How many tests passed and failed, and which ones are worth naming once more at the end of a long output? */

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** File and title of what failed, or what else it was: a check, a stage that broke down. */
  readonly failures?: readonly string[];
  /** File and title of what passed only when it was run again (where `CI` is set). */
  readonly flaky?: readonly string[];
}

export const none: Tally = { passed: 0, failed: 0 };

export function add(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    failures: [...(a.failures ?? []), ...(b.failures ?? [])],
    flaky: [...(a.flaky ?? []), ...(b.flaky ?? [])],
  };
}

/** Checks are no tests: one that passes adds nothing, one that fails must not go unseen. */
export function fromChecks(failedChecks: readonly string[]): Tally {
  return { passed: 0, failed: failedChecks.length, failures: failedChecks.map((name) => `check: ${name}`) };
}

/** What `unit-report.ts` wrote. A file that could not even be loaded has no test, and counts as one failure. */
export interface UnitReport {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly flaky: readonly string[];
}

export function fromVitest({ passed, failed, flaky }: UnitReport): Tally {
  return { passed, failed: failed.length, failures: failed, flaky };
}

/**
 * What Playwright's JSON reporter wrote. Errors outside of tests, such as a file that does not load, are failures. What
 * passed at a second attempt (only where `CI` is set: playwright.config.ts) has passed, and is named as flaky.
 */
export interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly errors: readonly { readonly message?: string }[];
  readonly suites: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly file: string;
  readonly specs: readonly { readonly title: string; readonly tests: readonly { readonly status: string }[] }[];
  readonly suites?: readonly PlaywrightSuite[];
}

export function fromPlaywright({ stats, errors, suites }: PlaywrightReport): Tally {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    failures: [
      ...titlesOf(suites, "unexpected"),
      ...errors.map(({ message = "" }) => `outside of the journeys: ${message.split("\n")[0]}`),
    ],
    flaky: titlesOf(suites, "flaky"),
  };
}

function titlesOf(suites: readonly PlaywrightSuite[], status: string): string[] {
  return suites.flatMap(({ file, specs, suites: inner = [] }) => [
    ...specs.filter(({ tests }) => tests.some((one) => one.status === status)).map(({ title }) => `${file} › ${title}`),
    ...titlesOf(inner, status),
  ]);
}

/** A runner that failed without naming a failed test (a crash, an unhandled rejection) still counts as one. */
export function withExitCode(tally: Tally, ok: boolean, runner: string): Tally {
  return ok || tally.failed > 0
    ? tally
    : { ...tally, failed: 1, failures: [`${runner} failed, but none of its tests: see what it printed`] };
}

/** The names of what did not simply pass, and the plain closing line that tools look for. */
export function summary({ passed, failed, failures = [], flaky = [] }: Tally): string {
  return [
    ...flaky.map((name) => `passed at a second attempt: ${name}`),
    ...failures.map((name) => `failed: ${name}`),
    `${passed} passed, ${failed} failed`,
  ].join("\n");
}
