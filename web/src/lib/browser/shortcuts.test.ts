import { expect, test } from "vitest";
import { isWriting } from "./key-owner.ts";
import { isCommand, shortcutGroups, shortcuts } from "./shortcuts.ts";

test("the help sheet lists every key, once", () => {
  const listed = shortcutGroups.flatMap(({ names }) => names as readonly string[]);

  expect(listed.toSorted()).toEqual(Object.keys(shortcuts).toSorted());
});

test("one key has two meanings only where they never meet: a ticket is accepted or reopened", () => {
  const namesOf = (key: string) => Object.entries(shortcuts).flatMap(([name, each]) => (each === key ? [name] : []));
  const shared = [...new Set(Object.values(shortcuts))].map(namesOf).filter((names) => names.length > 1);

  expect(shared).toEqual([["accept", "reopen"]]);
});

test("letters change a conversation only from the list, never from a field, a menu, a card or the conversation (A.1)", () => {
  for (const name of ["accept", "return", "transfer", "resolve", "reopen", "tags", "note"] as const) {
    const owners = (["field", "popup", "list", "board", "composer", "page"] as const).filter((owner) =>
      isCommand(shortcuts[name], owner),
    );
    expect(owners, name).toEqual(["list"]);
  }
});

test("keys that change nothing also work where no conversation could take them as text", () => {
  expect(isCommand(shortcuts.next, "page")).toBe(true);
  expect(isCommand(shortcuts.next, "composer")).toBe(false);
  expect(isCommand(shortcuts.next, "board")).toBe(false);
  expect(isCommand(shortcuts.help, "board")).toBe(true);
  expect(isCommand(shortcuts.help, "composer")).toBe(false);
  expect(isCommand(shortcuts.commands, "field")).toBe(true);
  expect(isCommand(shortcuts.undo, "field")).toBe(false);
});

test.each([
  ["e", {}, true],
  ["ã", {}, true],
  ["Dead", {}, true],
  ["Process", {}, true],
  ["@", { ctrlKey: true, altKey: true, hasAltGr: true }, true],
  ["?", {}, true],
  [" ", {}, false],
  ["Enter", {}, false],
  ["Escape", {}, false],
  ["F5", {}, false],
  ["c", { ctrlKey: true }, false],
  ["v", { metaKey: true }, false],
  ["ArrowDown", {}, false],
])("%s with %o writes: %s", (key, { hasAltGr = false, ...modifiers }: Record<string, boolean>, writes) => {
  const event = { ctrlKey: false, metaKey: false, altKey: false, ...modifiers, key, getModifierState: () => hasAltGr };

  expect(isWriting(event)).toBe(writes);
});
