import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test.each([
  [["Maria", "5511987654321", "maria@example.com"], "Maria;5511987654321;maria@example.com\r\n"],
  [["Silva; Filhos", 'O "Zé"', ""], '"Silva; Filhos";"O ""Zé""";\r\n'],
  [["=cmd|'/c calc'!A1", "+55", "@sum(1)"], "'=cmd|'/c calc'!A1;'+55;'@sum(1)\r\n"],
  [["-2+3", "\t=1", " =1"], "'-2+3;'\t=1;' =1\r\n"],
  // Excel in East Asian languages takes the wide signs for the narrow ones.
  [["＝1+1", "＋1", "＠sum(1)"], "'＝1+1;'＋1;'＠sum(1)\r\n"],
])("%j is written so that no spreadsheet runs it (C-04)", (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
