import { expect, test } from "vitest";
import { add, fromPlaywright, fromVitest, none, summary, withExitCode } from "./tally.ts";

test("what failed or passed only when run again is named, whichever runner ran it", () => {
  const units = fromVitest({ passed: 3, failed: ["a.test.ts › adds"], flaky: ["b.test.ts › waits"] });
  const specs = [
    { title: "signs in", tests: [{ status: "expected" }] },
    { title: "signs out", tests: [{ status: "flaky" }] },
  ];
  const inner = [{ file: "c.e2e.ts", specs: [{ title: "sends", tests: [{ status: "unexpected" }] }] }];
  const journeys = fromPlaywright({
    stats: { expected: 5, unexpected: 1, flaky: 1 },
    errors: [{ message: "cannot load" }],
    suites: [{ file: "c.e2e.ts", specs, suites: inner }],
  });

  expect(summary(add(add(none, units), journeys)).split("\n")).toEqual([
    "passed at a second attempt: b.test.ts › waits",
    "passed at a second attempt: c.e2e.ts › signs out",
    "failed: a.test.ts › adds",
    "failed: c.e2e.ts › sends",
    "failed: outside of the journeys: cannot load",
    "9 passed, 3 failed",
  ]);
});

test("a runner that failed without a failed test counts as one failure", () => {
  expect(withExitCode({ passed: 7, failed: 0 }, false, "Vitest")).toMatchObject({ passed: 7, failed: 1 });
  expect(summary(withExitCode({ passed: 7, failed: 0 }, false, "Vitest"))).toContain("failed: Vitest failed, but none");
  expect(withExitCode({ passed: 7, failed: 2 }, false, "Vitest")).toEqual({ passed: 7, failed: 2 });
  expect(withExitCode({ passed: 7, failed: 0 }, true, "Vitest")).toEqual({ passed: 7, failed: 0 });
});

test("the closing line is the one that tools look for", () => {
  expect(summary({ passed: 12, failed: 0 })).toBe("12 passed, 0 failed");
});
