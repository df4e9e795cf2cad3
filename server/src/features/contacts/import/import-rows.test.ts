import { describe, expect, test } from "vitest";
import { checkRow, parseRows } from "./import-rows.ts";

describe("rows by the columns that were chosen (C-03)", () => {
  test("lines keep their numbers, empty ones are left out, the first number that is one counts (C-03)", () => {
    const table = [
      ["Clientes 2026", "", "", ""],
      ["Nome", "Fone 1", "Fone 2", "Cidade"],
      ["", "", "", ""],
      ["Ana", "-", "(81) 98888-7777", "Recife"],
    ];
    const rows = parseRows(table, { headingLine: 2, roles: ["name", "number", "number", "extraInfo"] });
    const extraInfo = [{ name: "Cidade", value: "Recife" }];
    expect(rows).toEqual([{ line: 4, name: "Ana", number: "(81) 98888-7777", email: "", extraInfo }]);
  });

  test("first and last name are one name, whichever stands first (C-03)", () => {
    const [row] = parseRows([["Silva", "Ana", "Luz", "5581988887777"]], {
      headingLine: null,
      roles: ["lastName", "name", "name", "number"],
    });
    expect(row?.name).toBe("Ana Luz Silva");
  });

  test("an area code of its own column completes only a number that lacks it (C-03)", () => {
    const roles = ["name", "areaCode", "number"] as const;
    const table = [
      ["Ana", "81", "98888-7777"],
      ["Bia", "81", "(11) 97777-6666"],
      ["Caio", "011", "3214-5678"],
    ];
    const numbers = parseRows(table, { headingLine: null, roles: [...roles] }).map(({ number }) => number);
    expect(numbers).toEqual(["+55 81 98888-7777", "(11) 97777-6666", "+55 11 3214-5678"]);
  });

  test("our own export comes back as it was; a column without heading has its letter (C-03, C-04)", () => {
    const roles = [...Array<"ignore">(26).fill("ignore"), "name" as const, "number" as const, "extraInfo" as const];
    const cells = [...Array<string>(26).fill(""), "'=Ana", "5581", "VIP"];
    expect(parseRows([cells], { headingLine: null, roles })).toEqual([
      { line: 1, name: "=Ana", number: "5581", email: "", extraInfo: [{ name: "AC", value: "VIP" }] },
    ]);
  });
});

const row = { line: 7, name: "Maria", number: "5511987654321", email: "", extraInfo: [] };

test.each([
  [{}, "5511987654321"],
  [{ number: "+55 (11) 98765-4321" }, "5511987654321"],
  [{ number: "11 98765-4321" }, "5511987654321"],
  [{ number: "011 98765-4321" }, "5511987654321"],
  [{ number: "5511987654321.0" }, "5511987654321"],
  [{ number: "5,511987654321E+12" }, "5511987654321"],
  [{ number: "11 98765-4321 ::: 11 3333-4444" }, "5511987654321"],
  [{ number: "(11) 98765-4321 / (11) 91111-2222" }, "5511987654321"],
  [{ number: "1 212 555 0123" }, "12125550123"],
  // with a plus or 00 a number is whole: of Peru, Madrid, France, Germany
  [{ number: "+51 987 654 321" }, "51987654321"],
  [{ number: "(+34) 912 345 678" }, "34912345678"],
  [{ number: "0033 9 12 34 56 78" }, "33912345678"],
  [{ number: "0055 11 98765-4321" }, "5511987654321"],
  [{ number: "+49 911 123456" }, "49911123456"],
  // 56 is no area code in Brazil, but Chile
  [{ number: "56987654321" }, "56987654321"],
])("%j is taken in as %s (C-03)", (change, number) => {
  expect(checkRow({ ...row, ...change })).toEqual({ contact: { name: "Maria", number, email: "", extraInfo: [] } });
});

test.each([
  [{ name: "M" }, "name"],
  [{ name: "x".repeat(51) }, "name"],
  [{ name: "" }, "noName"],
  [{ name: "", number: "" }, "number"],
  [{ number: "123" }, "number"],
  [{ number: "" }, "number"],
  [{ number: "5,51199E+12" }, "rounded"],
  [{ number: "não tem 12345678" }, "number"],
  [{ email: "ninguém" }, "email"],
])("%j is refused for its %s (C-03)", (change, reason) => {
  const { line, name, number } = { ...row, ...change };
  expect(checkRow({ ...row, ...change })).toMatchObject({
    refused: { line, name: name.slice(0, 100), number, reason },
  });
});

test("a whole number that a contact has stays, although it may lack a country code (C-03)", () => {
  const peru = { ...row, number: "51987654321" };
  expect(checkRow(peru)).toMatchObject({ contact: { number: "5551987654321" } });
  expect(checkRow(peru, new Set(["51987654321"]))).toMatchObject({ contact: { number: "51987654321" } });
});

test("a row without a name tells its number, which a contact may have (C-03)", () => {
  expect(checkRow({ ...row, name: "", number: "11 98765-4321" })).toMatchObject({ numberOfUnnamed: "5511987654321" });
});

test("a shortened name never ends inside an emoji (C-03)", () => {
  const checked = checkRow({ ...row, name: `${"x".repeat(99)}😀`, number: "abc" });
  expect(checked).toMatchObject({ refused: { name: "x".repeat(99) } });
});
