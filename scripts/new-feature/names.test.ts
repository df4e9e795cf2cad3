import { expect, test } from "vitest";
import { namesOf } from "./names.ts";

test("a noun of two words is spelled as folder, table, value and type", () => {
  expect(namesOf("call-notes")).toEqual({
    folder: "call-notes",
    table: "call_notes",
    many: "callNotes",
    one: "callNote",
    Many: "CallNotes",
    One: "CallNote",
  });
});

test("an irregular singular is given", () => {
  expect(namesOf("replies", "reply")).toMatchObject({ many: "replies", one: "reply", One: "Reply" });
});

test.each(["CallNotes", "call_notes", "../tickets", ""])("%j is refused", (noun) => {
  expect(() => namesOf(noun)).toThrow(/kebab-case/);
});
