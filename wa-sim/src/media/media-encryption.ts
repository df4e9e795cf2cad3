import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";

export type MediaKind = "image" | "video" | "audio" | "document" | "sticker";

// Part of the HKDF info string; a sticker uses that of an image.
const KEY_INFO: Record<MediaKind, string> = {
  image: "Image",
  video: "Video",
  audio: "Audio",
  document: "Document",
  sticker: "Image",
};
const MAC_BYTES = 10;

function mediaKeys(kind: MediaKind, mediaKey: Uint8Array): { iv: Buffer; cipherKey: Buffer; macKey: Buffer } {
  const info = `WhatsApp ${KEY_INFO[kind]} Keys`;
  const expanded = Buffer.from(hkdfSync("sha256", mediaKey, Buffer.alloc(32), info, 112));
  return { iv: expanded.subarray(0, 16), cipherKey: expanded.subarray(16, 48), macKey: expanded.subarray(48, 80) };
}

export function encryptMedia(kind: MediaKind, mediaKey: Uint8Array, plain: Uint8Array): Buffer {
  const { iv, cipherKey, macKey } = mediaKeys(kind, mediaKey);
  const cipher = createCipheriv("aes-256-cbc", cipherKey, iv);
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  const mac = createHmac("sha256", macKey).update(iv).update(encrypted).digest().subarray(0, MAC_BYTES);
  return Buffer.concat([encrypted, mac]);
}

export function decryptMedia(kind: MediaKind, mediaKey: Uint8Array, file: Buffer): Buffer {
  const { iv, cipherKey, macKey } = mediaKeys(kind, mediaKey);
  const encrypted = file.subarray(0, -MAC_BYTES);
  const mac = createHmac("sha256", macKey).update(iv).update(encrypted).digest().subarray(0, MAC_BYTES);
  if (!mac.equals(file.subarray(-MAC_BYTES))) {
    throw new Error("wrong MAC: the file was altered");
  }
  const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}
