import { expect, test } from "vitest";
import { afterSave, untouched } from "./config-edit.ts";
import { knownVariables } from "./known-variables.ts";

const variables = (discount: string, freight: string) => [
  { key: "desconto", value: discount },
  { key: "frete", value: freight },
];

test("what is typed while a save runs overwrites no colleague by the value that was saved (K-08)", () => {
  const saved = { variables: variables("20", "5") };
  const typed = { changes: { variables: variables("20", "6") }, opened: variables("10", "5"), sent: [saved.variables] };
  const { changes, opened, sent } = afterSave(typed, saved);

  expect(changes).toBe(typed.changes);
  // The discount is known as it is wanted, so that the server keeps a colleague's; the freight is this form's own change.
  expect(knownVariables(changes.variables ?? [], { opened, tried: sent })).toEqual(saved.variables);
});

test("a save of the pace leaves variables that are typed meanwhile as they were opened (K-08)", () => {
  const typed = { changes: { variables: variables("20", "5") }, opened: variables("10", "5"), sent: [] };
  expect(afterSave(typed, {})).toEqual(typed);
});

test("an edit without further changes is over once it is saved (K-08)", () => {
  const edit = { changes: { variables: variables("20", "5") }, opened: variables("10", "5"), sent: [] };
  expect(afterSave(edit, edit.changes)).toBe(untouched);
});
