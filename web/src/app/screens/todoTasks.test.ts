import { expect, test } from "vitest";
import { addTask, changeTask, insertTask, parseLists, parseTasks, removeTask } from "./todoTasks.ts";

test.each([
  [undefined, []],
  ['["ligar"]', ["ligar"]],
  ["{broken", []],
  ['{"not":"a list"}', []],
  ['["ligar",7,null]', ["ligar"]],
])("the storage holding %s is the tasks %j (S-09)", (stored, tasks) => {
  expect(parseTasks(stored)).toEqual(tasks);
});

test("blank input is ignored, text is trimmed, a task is changed and deleted in its place (S-09)", () => {
  expect(addTask(["a"], "   ")).toEqual(["a"]);
  expect(addTask(["a"], " b ")).toEqual(["a", "b"]);
  expect(changeTask(["a", "b"], 1, " c ")).toEqual(["a", "c"]);
  expect(changeTask(["a", "b"], 1, " ")).toEqual(["a", "b"]);
  expect(removeTask(["a", "b", "a"], 0)).toEqual(["b", "a"]);
});

test("a deletion that is undone puts the task where it stood, beside what was written since (S-09)", () => {
  const left = removeTask(["a", "b", "c"], 1);
  expect(insertTask(left, 1, "b")).toEqual(["a", "b", "c"]);
  expect(insertTask(addTask(left, "d"), 1, "b")).toEqual(["a", "b", "c", "d"]);
  expect(insertTask(changeTask(left, 0, "x"), 1, "b")).toEqual(["x", "b", "c"]);
  // others are gone meanwhile
  expect(insertTask([], 1, "b")).toEqual(["b"]);
});

test.each([
  [undefined, {}],
  ['{"7":["ligar"],"8":[]}', { 7: ["ligar"], 8: [] }],
  ['{"7":["ligar",7,null],"8":"nothing"}', { 7: ["ligar"], 8: [] }],
  ['["ligar"]', {}],
  ["{broken", {}],
])("the storage holding %s is the lists %j of the browser's users (S-09)", (stored, lists) => {
  expect(parseLists(stored)).toEqual(lists);
});
