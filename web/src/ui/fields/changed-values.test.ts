import { expect, test } from "vitest";
import { changedValues } from "./changed-values.ts";

const opened = { name: "Ana", password: "", queueIds: [1, 2], connection: null, options: [{ id: 1, file: null }] };

test.each([
  ["nothing", {}],
  ["the name alone", { name: "Ana Souza" }],
  ["a list", { queueIds: [2, 1] }],
  ["a choice", { connection: 3 }],
  ["a new file of an option", { options: [{ id: 1, file: new File(["x"], "a.txt") }] }],
])("a form sends what was changed: %s", (_, changes) => {
  expect(changedValues(opened, { ...opened, ...changes })).toEqual(changes);
});
