import { expect, test } from "vitest";
import { isOlder, thisRelease } from "#server/platform/release.ts";
import { features } from "./features.ts";

test("no former name of a task is kept longer than a release that used it may run beside this one", () => {
  // Drop those listed here, with a migration that renames what `jobs` still has of them (decision 0139).
  const overdue = features
    .flatMap(({ renamedTasks = [] }) => renamedTasks)
    .filter(({ since }) => isOlder(since, thisRelease.worksBeside));
  expect(overdue).toEqual([]);
});
