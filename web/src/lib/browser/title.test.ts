import { expect, test } from "vitest";
import { idsIn } from "#web/lib/session/userList.ts";
import { iconWith } from "./tab-icon.ts";
import { titleOf } from "./title.ts";

test.each([
  [0, "Prosa"],
  [3, "(3) Prosa"],
  [120, "(99+) Prosa"],
])("with %i conversations waiting the tab is called %s", (count, title) => {
  expect(titleOf(count)).toBe(title);
});

test("the tab's icon carries the number, as far as it can be read", () => {
  expect(iconWith(3)).toContain(">3</text>");
  expect(iconWith(12)).toContain(">9+</text>");
  expect(iconWith(0)).not.toContain("</text>");
});

test.each([
  [undefined, []],
  ["", []],
  ["7,9", [7, 9]],
  ["7,nonsense,-1", [7]],
])("who is named by %s", (text, expected) => {
  expect(idsIn(text)).toEqual(expected);
});
