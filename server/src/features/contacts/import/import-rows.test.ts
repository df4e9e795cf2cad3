import { describe, expect, test } from "vitest";
import { checkRow, parseRows } from "./import-rows.ts";

describe("which column is what (C-03)", () => {
  test.each([
    [
      ["name", "number", "email"],
      ["Ana", "5511", "a@b.c"],
    ],
    [
      ["Nome", "Telefone", "E-mail"],
      ["Ana", "5511", "a@b.c"],
    ],
    [
      ["Cliente", "Celular", "Correo"],
      ["Ana", "5511", "a@b.c"],
    ],
  ])("by the headings %j (C-03)", (titles, cells) => {
    expect(parseRows([titles, cells])).toEqual([{ line: 2, name: "Ana", number: "5511", email: "a@b.c" }]);
  });

  test("in any order, with other columns between, empty lines left out (C-03)", () => {
    const table = [
      ["E-mail", "Cidade", "WhatsApp", "Nome"],
      ["", "", "", ""],
      ["a@b.c", "Recife", "5581", "Ana"],
    ];
    expect(parseRows(table)).toEqual([{ line: 3, name: "Ana", number: "5581", email: "a@b.c" }]);
  });

  test("name, number, e-mail where there are no headings; our own export comes back as it was (C-03, C-04)", () => {
    expect(parseRows([["'=Ana", "5581"]])).toEqual([{ line: 1, name: "=Ana", number: "5581", email: "" }]);
  });
});

const row = { line: 7, name: "Maria", number: "5511987654321", email: "" };

test.each([
  [{}, "5511987654321"],
  [{ number: "+55 (11) 98765-4321" }, "5511987654321"],
  [{ number: "11 98765-4321" }, "5511987654321"],
  [{ number: "1 212 555 0123" }, "12125550123"],
])("%j is taken in as %s (C-03)", (change, number) => {
  expect(checkRow({ ...row, ...change })).toEqual({ contact: { name: "Maria", number, email: "" } });
});

test("without a name the number is the name (C-03)", () => {
  expect(checkRow({ ...row, name: "" })).toMatchObject({ contact: { name: "5511987654321" } });
});

test.each([
  [{ name: "M" }, "name"],
  [{ name: "x".repeat(51) }, "name"],
  [{ number: "123" }, "number"],
  [{ number: "" }, "number"],
  [{ number: "5,51199E+12" }, "number"],
  [{ number: "não tem 12345678" }, "number"],
  [{ email: "ninguém" }, "email"],
])("%j is refused for its %s (C-03)", (change, reason) => {
  const { line, name, number } = { ...row, ...change };
  expect(checkRow({ ...row, ...change })).toEqual({ refused: { line, name: name.slice(0, 100), number, reason } });
});

test("a shortened name never ends inside an emoji (C-03)", () => {
  const checked = checkRow({ line: 1, name: `${"x".repeat(99)}😀`, number: "abc", email: "" });
  expect(checked).toMatchObject({ refused: { name: "x".repeat(99) } });
});
