import type { SheetPreview } from "@prosa/contract";
import { truncateText } from "#server/platform/truncate-text.ts";
import type { SheetLayout } from "./sheet-layout.ts";

/** Rows of a preview, headings included. */
const maxRows = 6;
const maxCell = 80;

/** The first rows of a sheet from its headings on, and its columns that hold something. Pure. */
export function previewOf(table: readonly (readonly string[])[], layout: SheetLayout): SheetPreview {
  const { headingLine, roles, unclear } = layout;
  const headings = headingLine === null ? [] : (table[headingLine - 1] ?? []);
  const filled = filledColumns(table.slice(headingLine ?? 0));
  const columns = roles.flatMap((role, index) =>
    filled.has(index) || (headings[index] ?? "").trim() !== ""
      ? [{ index, heading: truncateText((headings[index] ?? "").trim(), maxCell), role }]
      : [],
  );
  const rows = table
    .map((cells, index) => ({ line: index + 1, cells }))
    .slice(headingLine === null ? 0 : headingLine - 1)
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""))
    .slice(0, maxRows)
    .map(({ line, cells }) => ({
      line,
      cells: columns.map(({ index }) => truncateText((cells[index] ?? "").trim(), maxCell)),
    }));
  return { headingLine, columns, width: roles.length, rows, unclear };
}

/** The columns in which a cell holds something, from 0. Pure. */
export function filledColumns(table: readonly (readonly string[])[]): ReadonlySet<number> {
  const filled = new Set<number>();
  for (const cells of table) {
    for (const [column, cell] of cells.entries()) {
      if (cell.trim() !== "") {
        filled.add(column);
      }
    }
  }
  return filled;
}
