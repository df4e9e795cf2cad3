import { inflateRawSync } from "node:zlib";

const signature = { end: Buffer.from("PK\x05\x06", "latin1"), zip: Buffer.from("PK", "latin1") };
const deflated = 8;

export class UnpackedTooLarge extends Error {}

/**
 * Throws UnpackedTooLarge if a spreadsheet unpacks to more than `maxBytes`: a megabyte of zip can hold gigabytes, and those lie outside
 * the memory that limits a worker thread. Its parts are really unpacked, because the sizes in the zip may be false.
 */
export function refuseZipBomb(bytes: Uint8Array, maxBytes: number): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, 2).equals(signature.zip)) {
    return;
  }
  const end = file.lastIndexOf(signature.end);
  let entry = file.readUInt32LE(end + 16);
  let left = maxBytes;
  for (let count = file.readUInt16LE(end + 8); count > 0; count -= 1) {
    left -= unpackedSize(file, file.readUInt32LE(entry + 42), left);
    entry += 46 + file.readUInt16LE(entry + 28) + file.readUInt16LE(entry + 30) + file.readUInt16LE(entry + 32);
  }
}

function unpackedSize(file: Buffer, header: number, maxBytes: number): number {
  if (file.readUInt16LE(header + 8) !== deflated) {
    return 0;
  }
  const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
  try {
    return inflateRawSync(file.subarray(start), { maxOutputLength: Math.max(1, maxBytes) }).length;
  } catch (error) {
    throw error instanceof RangeError
      ? new UnpackedTooLarge("the spreadsheet unpacks to too much", { cause: error })
      : error;
  }
}
