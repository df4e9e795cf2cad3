import { expect, test } from "vitest";
import { matchUploads } from "./match-uploads.ts";

const options = [
  { id: 11, name: "Frente", media_path: null },
  { id: 12, name: "Verso", media_path: "company/1/file-lists/old" },
  { id: 13, name: "", media_path: null },
];
const none = { id: [], name: [] };

test.each([
  ["by ids, which need not be in order", 2, { ...none, id: ["13", "11"] }, [13, 11]],
  ["an option that has a file gets another one by its id", 1, { ...none, id: ["12"] }, [12]],
  ["by names, where an id is not one of the list", 2, { id: ["99", "undefined"], name: ["Verso", "Frente"] }, [12, 11]],
  ["in order, to those without a file", 2, none, [11, 13]],
  ["what one names is not taken by an earlier one without a name", 2, { ...none, id: ["", "11"] }, [13, 11]],
  ["an id that is there twice goes to one file only", 2, { ...none, id: ["11", "11"] }, [11, 13]],
  ["an empty name is no name", 1, { ...none, name: [""] }, [11]],
])("files find their options: %s (O-07, E-03)", (_, count, fields, expected) => {
  expect(matchUploads(options, count, fields)).toEqual(expected);
});

test("a file without an option is refused (O-07)", () => {
  expect(() => matchUploads(options, 3, none)).toThrow("ERR_VALIDATION");
  expect(() => matchUploads([], 1, none)).toThrow("ERR_VALIDATION");
});
