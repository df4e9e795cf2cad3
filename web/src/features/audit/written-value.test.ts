import { expect, test } from "vitest";
import { createFormat } from "#web/lib/text/format.ts";
import { detailLines } from "./detail-lines.ts";
import { writtenOf } from "./written-value.ts";

const format = createFormat("pt", "America/Sao_Paulo");

test.each([
  ["2026-03-01", "01/03/2026"],
  ["2026-03-01T02:30:00.000Z", "28/02/2026 23:30:00"],
  ["2026-99-99T99:99Z", undefined],
  ["2026-03-01T25:00Z", undefined],
  ["2026-02-31", undefined],
  ["2026-02-30T10:00Z", undefined],
  ["2026-13-01", undefined],
  ["-49.9", "-49,9"],
  ["1234.56", "1.234,56"],
  ["007.5", undefined],
  ["99999999999999999999.99", undefined],
  ["v2026-03-01", undefined],
])("in an entry of the audit log the value %s is written as %s (V-01)", (code, text) => {
  expect(writtenOf(code, format)).toBe(text);
  const value = (each: string) => writtenOf(each, format) ?? each;
  const lines = detailLines({ name: { from: "Vendas", to: code }, tags: [code, "x"] }, (name) => name, value);
  expect(lines).toEqual([`name: Vendas → ${text ?? code}`, `tags: ${text ?? code}, x`]);
});
