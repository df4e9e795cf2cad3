import { inflateRawSync } from "node:zlib";

const mark = { end: Buffer.from("PK\x05\x06", "latin1"), zip: Buffer.from("PK", "latin1") };
const deflated = 8;

/**
 * Throws where a spreadsheet unpacks to more than `most` bytes: a megabyte of zip can be gigabytes of sheet, and those
 * lie outside the memory that a thread can be limited to. Its parts are really unpacked, for what a zip says of their
 * sizes is its maker's word.
 */
export function refuseZipBomb(bytes: Uint8Array, most: number): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, 2).equals(mark.zip)) {
    return;
  }
  const end = file.lastIndexOf(mark.end);
  let entry = file.readUInt32LE(end + 16);
  let left = most;
  for (let count = file.readUInt16LE(end + 8); count > 0; count -= 1) {
    left -= unpackedSize(file, file.readUInt32LE(entry + 42), left);
    entry += 46 + file.readUInt16LE(entry + 28) + file.readUInt16LE(entry + 30) + file.readUInt16LE(entry + 32);
  }
}

function unpackedSize(file: Buffer, header: number, most: number): number {
  if (file.readUInt16LE(header + 8) !== deflated) {
    return 0;
  }
  const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
  return inflateRawSync(file.subarray(start), { maxOutputLength: Math.max(1, most) }).length;
}
