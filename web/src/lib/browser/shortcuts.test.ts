import { expect, test } from "vitest";
import { shortcutGroups, shortcuts } from "./shortcuts.ts";

test("the help sheet lists every key, once", () => {
  const listed = shortcutGroups.flatMap(({ names }) => names as readonly string[]);

  expect(listed.toSorted()).toEqual(Object.keys(shortcuts).toSorted());
});

test("one key has two meanings only where they never meet: a ticket is accepted or reopened", () => {
  const byKey = Map.groupBy(Object.entries(shortcuts), ([, key]) => key);
  const shared = [...byKey.values()]
    .filter((entries) => entries.length > 1)
    .map((entries) => entries.map(([name]) => name));

  expect(shared).toEqual([["accept", "reopen"]]);
});
