import { expect, test } from "vitest";
import { decodeText, parseCsv } from "./csv.ts";

test.each([
  [
    "a;b\n1;2\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "\uFEFFa,b\r\n1,2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a\tb\n1\t2;3",
    [
      ["a", "b"],
      ["1", "2;3"],
    ],
  ],
  [
    'nome;x\n"Silva; ""Zé""\nFilhos";2',
    [
      ["nome", "x"],
      ['Silva; "Zé"\nFilhos', "2"],
    ],
  ],
  ["", []],
])("%j is read with its own separator, quotes and lines (C-03)", (text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});

test("what Excel for Windows writes is read like UTF-8 (C-03)", () => {
  expect(decodeText(new TextEncoder().encode("João"))).toBe("João");
  expect(decodeText(Uint8Array.from([0x4a, 0x6f, 0xe3, 0x6f]))).toBe("João");
});
