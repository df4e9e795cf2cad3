import { utils, write } from "@e965/xlsx";
import { expect, test } from "vitest";
import { refuseZipBomb, UnpackedTooLarge } from "./unpacked-size.ts";

const sheet = utils.aoa_to_sheet([
  ["nome", "telefone"],
  ...Array.from({ length: 100 }, () => ["x".repeat(30_000), "5521987650001"]),
]);
const book = utils.book_new(sheet, "Agenda");
const packed = new Uint8Array(write(book, { type: "array", bookType: "xlsx", compression: true }) as ArrayBuffer);

test("a spreadsheet that unpacks to more than the limit is refused, whatever sizes its headers state (C-03)", () => {
  expect(packed.length).toBeLessThan(100_000);
  expect(() => refuseZipBomb(packed, 10_000_000)).not.toThrow();
  expect(() => refuseZipBomb(packed, 2_000_000)).toThrow(UnpackedTooLarge);

  const forged = Buffer.from(packed);
  for (let at = forged.indexOf("PK\x01\x02"); at >= 0; at = forged.indexOf("PK\x01\x02", at + 4)) {
    forged.writeUInt32LE(1, at + 24);
    forged.writeUInt32LE(1, forged.readUInt32LE(at + 42) + 22);
  }
  expect(() => refuseZipBomb(forged, 2_000_000)).toThrow(UnpackedTooLarge);
});

test("sizes of many small parts add up; a file that is no zip passes (C-03)", () => {
  const sheets = Array.from({ length: 20 }, () => utils.aoa_to_sheet([["y".repeat(30_000)]]));
  const many = utils.book_new();
  sheets.forEach((each) => utils.book_append_sheet(many, each));
  const zip = new Uint8Array(write(many, { type: "array", bookType: "xlsx", compression: true }) as ArrayBuffer);
  expect(() => refuseZipBomb(zip, 5_000_000)).not.toThrow();
  expect(() => refuseZipBomb(zip, 500_000)).toThrow(UnpackedTooLarge);
  expect(() => refuseZipBomb(Buffer.from("nome;telefone"), 1)).not.toThrow();
});
