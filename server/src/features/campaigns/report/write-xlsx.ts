import { writeZip } from "#server/platform/zip/index.ts";

/**
 * Writes a workbook of one sheet of texts as a stream. The library that reads sheets holds a whole workbook in memory, as much
 * as half a gigabyte for a large campaign; here one page of rows is held.
 */
export async function* writeXlsx(pages: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<Uint8Array> {
  const parts = Object.entries(fixedParts).map(([name, content]) => ({ name, content }));
  yield* writeZip([...parts, { name: sheetName, content: sheetXml(pages) }]);
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaging = "http://schemas.openxmlformats.org/package/2006";
const contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const sheetName = "xl/worksheets/sheet1.xml";

/** The least that a workbook needs beside its sheet (ECMA-376). */
const fixedParts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `${declaration}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/${sheetName}" ContentType="${contentType}.worksheet+xml"/></Types>`,
  "_rels/.rels": `${declaration}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `${declaration}<workbook xmlns="${spreadsheet}" xmlns:r="${relationships}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `${declaration}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

async function* sheetXml(pages: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${spreadsheet}"><sheetData>`;
  for await (const rows of pages) {
    yield rows.map((cells) => `<row>${cells.map(cellXml).join("")}</row>`).join("");
  }
  yield "</sheetData></worksheet>";
}

/** An inline text: a spreadsheet never takes it for a formula or a number. */
function cellXml(text: string): string {
  return text === "" ? "<c/>" : `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // Characters that XML 1.0 cannot hold.
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
  );
}
