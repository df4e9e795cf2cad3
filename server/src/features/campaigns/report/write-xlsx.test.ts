import { read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { writeXlsx } from "./write-xlsx.ts";

async function* pages(...all: readonly (readonly (readonly string[])[])[]) {
  yield* all;
}

async function written(...all: readonly (readonly (readonly string[])[])[]): Promise<string[][]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeXlsx(pages(...all))) {
    chunks.push(chunk);
  }
  const book = read(Buffer.concat(chunks), { type: "buffer" });
  return utils.sheet_to_json(book.Sheets["Sheet1"]!, { header: 1, raw: true, defval: "" });
}

test("a workbook that is streamed in pages is read back as it was, texts as texts (K-07)", async () => {
  const heading = ["Nome", "Número"];
  const rows = [
    ["Ana & João <sócios>", "5511987654321"],
    ['=HYPERLINK("http://x")', "+1"],
    ["  com espaços ", ""],
    ["😀 \u0001quebra\nde linha", "0012"],
  ];
  expect(await written([heading], rows.slice(0, 2), rows.slice(2))).toEqual([
    heading,
    rows[0],
    rows[1],
    rows[2],
    ["😀 quebra\nde linha", "0012"],
  ]);
});

test("fifty thousand rows stream without being held (K-07)", async () => {
  const page = Array.from({ length: 1_000 }, (_, index) => [`Contato ${index}`, "5511987654321", "Enviada"]);
  const many = Array.from({ length: 50 }, () => page);
  expect(await written(...many)).toHaveLength(50_000);
}, 30_000);
