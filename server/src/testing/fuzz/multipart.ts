import fc from "fast-check";
import { oddText } from "./values.ts";

const bytes = (base64: string) => Buffer.from(base64, "base64").toString("latin1");
const png = bytes("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

const contents = fc.oneof(
  fc.constantFrom(
    ...["", "x", png, png.slice(0, 40), png.replace("\0\0\0\x01\0\0\0\x01", "\x7f\xff\xff\xff\x7f\xff\xff\xff")],
    ...[
      "name;number\nAna;5511912345678\n",
      "\0\0\0",
      'name,number\n"Ana',
      ";;;;\n;;\n",
      "\xff\xfen\0a\0m\0e\0",
      "name\n\xe9\n",
    ],
    ...[
      "PK\x03\x04garbage",
      "PK\x05\x06".padEnd(22, "\0"),
      "GIF89a\xff\xff\xff\xff",
      "\xff\xd8\xff\xe0",
      "RIFF\0\0\0\0WEBPVP8X",
      "OggS\0",
    ],
    ...[
      "ID3\x04\0\0\0\0\0\0",
      "%PDF-1.7\n",
      "<svg/>",
      "#!/bin/sh\n",
      "BEGIN:VCARD\nN:;;;;\nEND:VCARD",
      "x".repeat(70_000),
    ],
    `name;number\n${"Ana;5511912345678\n".repeat(300)}`,
  ),
  fc.string({ unit: "binary-ascii", maxLength: 200 }),
);

const fileNames = fc.oneof(
  fc.constantFrom(
    ...[
      "a.png",
      "a.csv",
      "a.xlsx",
      "a.txt",
      "a.vcf",
      "a.mp3",
      "a.ogg",
      "a.exe",
      ".",
      "..",
      "../../a",
      "",
      "a/b\\c",
      "CON",
    ],
    ...["a\0.png", `${"n".repeat(400)}.png`, "%00.png", 'a".png', "a.", " ", "漢字.png"],
  ),
  oddText.map((text) => text.slice(0, 300)),
);

const types = fc.constantFrom(
  "image/png",
  "text/csv",
  "application/json",
  "text/plain; charset=utf-16",
  "x",
  "",
  "multipart/mixed; boundary=b",
);

/** A multipart body with valid fields and malformed files. */
export function multipartOf(
  body: Readonly<Record<string, unknown>>,
  fileField: string,
): fc.Arbitrary<{ readonly body: string; readonly headers: Readonly<Record<string, string>> }> {
  const boundary = fc.constantFrom("XX", "X".repeat(70), "X".repeat(71), "a'()+_,-./:=?");
  const file = fc
    .tuple(
      fc.oneof({ weight: 9, arbitrary: fc.constant(fileField) }, { weight: 1, arbitrary: oddText }),
      fileNames,
      types,
      contents,
    )
    .map(
      ([field, name, type, content]) =>
        `Content-Disposition: form-data; name="${line(field)}"; filename="${line(name)}"\r\nContent-Type: ${type}\r\n\r\n${content}`,
    );
  const odd = fc.constantFrom(
    'Content-Disposition: form-data; name="__proto__"\r\n\r\nx',
    'Content-Disposition: form-data; name="body"\r\nContent-Type: application/json\r\n\r\n{"toString":1}',
    'Content-Disposition: form-data; name="body"\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!',
    'Content-Disposition: form-data; name="body"\r\nContent-Type: text/plain; charset=utf-32\r\n\r\nx',
    "Content-Disposition: form-data\r\n\r\nx",
    "no header at all\r\n\r\nx",
    "\r\n\r\nx",
    `X-A: ${"a".repeat(20_000)}\r\n\r\nx`,
    'Content-Disposition: form-data; name="body"\r\n\r\nsecond',
    `Content-Disposition: form-data; name="body"\r\n\r\n${"b".repeat(300_000)}`,
  );
  const known = fc.constant(
    Object.entries(body).map(
      ([name, value]) =>
        `Content-Disposition: form-data; name="${name}"\r\n\r\n${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
  );
  const end = fc.constantFrom("--\r\n", "--\r\n", "--\r\n", "--\r\n", "", "-", "\r\n");

  return fc
    .tuple(boundary, known, fc.array(file, { maxLength: 3 }), fc.array(odd, { maxLength: 1 }), end)
    .map(([mark, fields, files, more, tail]) => ({
      body: `${[...fields, ...files, ...more].map((part) => `--${mark}\r\n${part}\r\n`).join("")}--${mark}${tail}`,
      headers: { "content-type": `multipart/form-data; boundary="${mark}"` },
    }));
}

/** A header value as latin1 bytes, without line breaks. */
function line(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n]/g, ""), "utf8").toString("latin1");
}
