import { createElement as h, Fragment } from "react";
import { expect, test } from "vitest";
import { allOf, readOptions } from "./options.ts";

test("options are read in their order, with numbers as text and parts joined (Z-05)", () => {
  const groups = readOptions([
    h("option", { key: "a", value: "" }, "Nenhuma"),
    [1, 2].map((id) => h("option", { key: id, value: id }, "Fila ", id)),
    false,
    h(Fragment, { key: "b" }, h("option", { value: 3 }, "Fila 3")),
  ]);
  expect(groups).toHaveLength(1);
  expect(allOf(groups)).toEqual([
    { value: "", label: "Nenhuma" },
    { value: "1", label: "Fila 1" },
    { value: "2", label: "Fila 2" },
    { value: "3", label: "Fila 3" },
  ]);
});

test("groups keep their headings, and stay apart from what stands alone (Z-05)", () => {
  expect(
    readOptions([
      h("option", { key: 0, value: "x" }, "X"),
      h("optgroup", { key: 1, label: "Brasil" }, h("option", { value: "a" }, "A"), h("option", { value: "b" }, "B")),
      h("optgroup", { key: 2, label: "Mundo" }, h("option", { value: "c" }, "C")),
    ]).map(({ label, items }) => [label, items.length]),
  ).toEqual([
    [undefined, 1],
    ["Brasil", 2],
    ["Mundo", 1],
  ]);
});

test("a component among the options is a mistake, not an empty list (Z-05)", () => {
  expect(() => readOptions(h("div"))).toThrow("<option>");
});
