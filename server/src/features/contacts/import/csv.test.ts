import { expect, test } from "vitest";
import { decodeText, parseCsv, TooManyColumns } from "./csv.ts";

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
  ["Clientes\n\nnome,fone\nAna,11", [["Clientes"], [""], ["nome", "fone"], ["Ana", "11"]]],
  [
    "nome;fone\nSilva, Ana;11\nLuz, Bia;12",
    [
      ["nome", "fone"],
      ["Silva, Ana", "11"],
      ["Luz, Bia", "12"],
    ],
  ],
  ["sep=,\r\na,b;c", [[""], ["a", "b;c"]]],
  [
    "a;b\r1;2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  ["", []],
])("%j is read with its own separator, quotes and lines (C-03)", (text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});

test.each([
  [
    'a;b\n"Silva;1\nLuz;2',
    [
      ["a", "b"],
      ['"Silva', "1"],
      ["Luz", "2"],
    ],
  ],
  [
    'a;b\n"Silva;1\nLuz;"2"\n"Paz";3',
    [
      ["a", "b"],
      ['"Silva', "1"],
      ["Luz", "2"],
      ["Paz", "3"],
    ],
  ],
  [
    'a;b\n"Silva "";1\n"";2',
    [
      ["a", "b"],
      ['"Silva ""', "1"],
      ["", "2"],
    ],
  ],
  [
    'a;b\n"Zé" Silva;1',
    [
      ["a", "b"],
      ["Zé Silva", "1"],
    ],
  ],
  [
    'nome;obs;numero\nAna;"Rua A\nCasa 2" ;11\nBeto;x;12',
    [
      ["nome", "obs", "numero"],
      ["Ana", "Rua A\nCasa 2 ", "11"],
      ["Beto", "x", "12"],
    ],
  ],
  [
    'nome;obs;numero\nAna;"pediu\r\ne "y" hoje";11\nBeto;x;12',
    [
      ["nome", "obs", "numero"],
      ["Ana", 'pediu\r\ne y" hoje"', "11"],
      ["Beto", "x", "12"],
    ],
  ],
])("%j has a quote too many, which takes no other cell along (C-03)", (text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});

test("a file full of opening quotes is read in linear time (C-03)", () => {
  const rows = parseCsv('"a\n"""b\n'.repeat(200_000));
  expect(rows).toHaveLength(400_000);
});

test("what Excel for Windows writes is read like UTF-8 (C-03)", () => {
  expect(decodeText(new TextEncoder().encode("João"))).toBe("João");
  expect(decodeText(Uint8Array.from([0x4a, 0x6f, 0xe3, 0x6f]))).toBe("João");
});

test.each([
  ["UTF-16 with its mark", [0xff, 0xfe, 0x4a, 0, 0xe3, 0, 0x6f, 0]],
  ["UTF-16 of a Mac", [0xfe, 0xff, 0, 0x4a, 0, 0xe3, 0, 0x6f]],
])("%s, as Excel saves Unicode text (C-03)", (_what, bytes) => {
  expect(decodeText(Uint8Array.from(bytes)).replace("\uFEFF", "")).toBe("Jão");
});

test("cells beyond the limit of a row: empty ones are left out, others refuse the file at once (C-03)", () => {
  expect(parseCsv("a;b;;;\n1;2;; ;", 2)).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
  expect(() => parseCsv("a;b\n1;2;;;x", 2)).toThrow(TooManyColumns);
});
