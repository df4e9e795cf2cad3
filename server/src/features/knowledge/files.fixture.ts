import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { deflateRawSync, inflateSync } from "node:zlib";
import { writeZip } from "#server/platform/zip/index.ts";

/** Files for the tests of knowledge: those that people upload, and those that do harm. */

const latin = (text: string) => Buffer.from(text, "latin1");
const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

/** A page's content: lines with the size of their letters and their place from below, in points. */
export function pageOf(...lines: readonly (readonly [size: number, y: number, text: string])[]): Buffer {
  const shown = lines.map(([size, y, text]) => `/F1 ${size} Tf 1 0 0 1 50 ${y} Tm (${text}) Tj`);
  return latin(`BT\n${shown.join("\n")}\nET`);
}

/** A pdf whose pages have these contents. */
export function aPdf(
  pages: readonly Uint8Array[],
  {
    filter = "",
    object = "",
    trailer = "",
  }: { readonly filter?: string; readonly object?: string; readonly trailer?: string } = {},
): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  const objects: Buffer[] = [
    latin("<< /Type /Catalog /Pages 2 0 R >>"),
    latin(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`),
    latin(font),
    ...pages.flatMap((content, index) => [
      latin(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * index} 0 R
          /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
      Buffer.concat([latin(`<< /Length ${content.length} ${filter} >>\nstream\n`), content, latin("\nendstream")]),
    ]),
    ...(object === "" ? [] : [latin(object)]),
  ];
  let file = latin("%PDF-1.4\n");
  const offsets = objects.map((body, index) => {
    const at = file.length;
    file = Buffer.concat([file, latin(`${index + 1} 0 obj\n`), body, latin("\nendobj\n")]);
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.concat([file, latin(`xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}${end}`)]);
}

/** Needs a password that is not empty. */
export function encryptedPdf(): Buffer {
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /O <${"ab".repeat(32)}> /U <${"cd".repeat(32)}> /P -44 >>`;
  const id = "<00112233445566778899aabbccddeeff>";
  return aPdf([pageOf([11, 770, "x"])], { object: encrypt, trailer: `/Encrypt 6 0 R /ID [${id} ${id}]` });
}

/** A page with a picture of text and no text. */
export function scannedPdf(): Buffer {
  return aPdf([latin("0 0 100 100 re f")]);
}

/** 900 MB of spaces, deflated three times. */
const bomb =
  "eNqruPX2jqLfnECJtouaxlyO7I4CIRMW7GqWmrTSUdlBWKxhPbPTq+w0wVgGLseCNwsCrrKGCAgFCESp5TT9t3SP/XtK3/z89vv16/3c/8/NOTfffv3/GDlGBgYG5vKiarN/H37dqPm5dfNufgYGBp67D49PPflI40PJho9XZRgYGAwq7m/f7yNuz/Kuv1/tGQMDQ8PB6Oo/xtF3mNbFnwv//gZkTHO5sgRQhkGzCcS7oATm6II5AspInFGZUZlRmVGZURlMmc/bEw68Of708KVr9zgYGBjuLd299OPy7pf2fBt+rwQAHO/i1g==";

/** A pdf of 2 kB whose page unpacks to 900 MB. */
export function pdfBomb(): Buffer {
  return aPdf([inflateSync(Buffer.from(bomb, "base64"))], { filter: "/Filter [/FlateDecode /FlateDecode]" });
}

const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override
  PartName="/word/document.xml"
  ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const paragraph = (text: string, style?: string) =>
  `<w:p>${style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
const inWord = (body: string) => `<?xml version="1.0" encoding="UTF-8"?><w:document
  xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
  xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}</w:body></w:document>`;

/** A document of Word in Portuguese: headings, a table, a text that was deleted, a text box. */
export async function aDocx(rows = 1): Promise<Buffer> {
  const styles = `<w:styles xmlns:w="x"><w:style w:styleId="Ttulo1"><w:name w:val="heading 1"/></w:style></w:styles>`;
  const box = paragraph("Uma caixa de texto, uma vez.");
  const document = inWord(
    `${paragraph("Pre&#231;os", "Ttulo1")}<w:tbl><w:tr>${cell("Plano")}${cell("Preço")}</w:tr>${`<w:tr>${cell("Ouro")}${cell("R$ 90")}</w:tr>`.repeat(rows)}</w:tbl>
    ${paragraph("Avisos", "Ttulo1")}<w:p><w:r><w:delText>Um parágrafo apagado</w:delText></w:r></w:p>
    <mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`,
  );
  return packed({ "word/styles.xml": styles, "word/document.xml": document });
}

async function packed(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const files = Object.entries({ "[Content_Types].xml": types, ...parts });
  return buffer(Readable.from(writeZip(files.map(([name, content]) => ({ name, content })))));
}

/** A document of Word that unpacks to 100 MB, and says so or not. */
export function aZipBomb({ isHonest }: { readonly isHonest: boolean }): Buffer {
  const real = Buffer.alloc(100_000_000, " ");
  const parts = [
    ["[Content_Types].xml", Buffer.from(types), types.length],
    ["word/document.xml", real, isHonest ? real.length : 1_000],
  ] as const;
  let file = Buffer.alloc(0);
  let directory = Buffer.alloc(0);
  for (const [name, content, size] of parts) {
    const data = deflateRawSync(content, { level: 1 });
    // version 2.0, deflated; the checksum is not looked at
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(file.length, 10);
    directory = Buffer.concat([directory, latin("PK\x01\x02\x14\x00"), facts, place, latin(name)]);
    file = Buffer.concat([file, latin("PK\x03\x04"), facts, latin(name), data]);
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(file.length, 12);
  return Buffer.concat([file, directory, latin("PK\x05\x06"), end]);
}
