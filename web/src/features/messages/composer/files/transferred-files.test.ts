import { expect, test } from "vitest";
import { filesFromPaste, filesFromTransfer } from "./transferred-files.ts";

const picture = new File(["x"], "image.png", { type: "image/png" });
const pdf = new File(["x"], "contrato.pdf", { type: "application/pdf" });

/** A clipboard with these files, and what else it has by type. */
function aClipboard(files: readonly File[], others: Readonly<Record<string, string>> = {}): DataTransfer {
  return { files, getData: (type: string) => others[type] ?? "" } as unknown as DataTransfer;
}

test("cells of a spreadsheet are pasted as their text, and pictures and files as files (M-06)", () => {
  const table = { "text/plain": "Item\tPreço", "text/html": "<table><td>Item</td><td>Preço</td></table>" };
  expect(filesFromPaste(aClipboard([picture], table))).toEqual([]);

  // a screenshot; a picture of a page; a picture that a text editor wraps in an empty paragraph; files of the file manager
  expect(filesFromPaste(aClipboard([picture]))).toEqual([picture]);
  expect(filesFromPaste(aClipboard([picture], { "text/html": '<img src="a.png">' }))).toEqual([picture]);
  expect(filesFromPaste(aClipboard([picture], { "text/plain": "\n", "text/html": "<p><img></p>" }))).toEqual([picture]);
  expect(filesFromPaste(aClipboard([picture], { "text/plain": "image.png" }))).toEqual([picture]);
  expect(filesFromPaste(aClipboard([pdf], table))).toEqual([pdf]);

  expect(filesFromPaste(aClipboard([], { "text/plain": "Olá" }))).toEqual([]);
  expect(filesFromPaste(null)).toEqual([]);
  // a drop carries no cells
  expect(filesFromTransfer(aClipboard([picture], table))).toEqual([picture]);
});
