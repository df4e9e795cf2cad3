import { expect, test } from "vitest";
import { changedValues, withoutEmpty } from "./changed-values.ts";

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

test("what a failed save has tried is sent as it is now, also where it was put back (U-02)", () => {
  expect(changedValues(opened, opened, ["name", "queueIds"])).toEqual({ name: "Ana", queueIds: [1, 2] });
  expect(changedValues(opened, { ...opened, connection: 3 }, ["name"])).toEqual({ name: "Ana", connection: 3 });
});

test("an empty secret is kept, and anything else that is empty is sent (O-08, O-09)", () => {
  expect(withoutEmpty({ name: "", password: "" }, ["password"])).toEqual({ name: "" });
  expect(withoutEmpty({ password: "x" }, ["password"])).toEqual({ password: "x" });
});
