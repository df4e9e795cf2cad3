import { z } from "zod";
import type { MediaSource } from "../../port.ts";
import type { WAMessageKey } from "../library.ts";

export const mediaKinds = ["image", "video", "audio", "document", "sticker"] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** Address and key of a file on WhatsApp's media servers, as JSON; bytes in base64. */
export const mediaSourceSchema = z.object({
  kind: z.enum(mediaKinds),
  url: z.string().nullable(),
  directPath: z.string().nullable(),
  mediaKey: z.string(),
  fileSha256: z.string().nullable(),
  fileEncSha256: z.string().nullable(),
  /** The key of its message, by which a re-upload is requested. */
  message: z.object({
    id: z.string(),
    remoteJid: z.string(),
    fromMe: z.boolean(),
    participant: z.string().nullable(),
  }),
});
export type ParsedMediaSource = z.output<typeof mediaSourceSchema>;

export interface EncryptedFile {
  readonly url?: string | null;
  readonly directPath?: string | null;
  readonly mediaKey?: Uint8Array | null;
  readonly fileSha256?: Uint8Array | null;
  readonly fileEncSha256?: Uint8Array | null;
}

export function mediaSourceOf(kind: MediaKind, file: EncryptedFile, key: WAMessageKey): MediaSource {
  return {
    kind,
    url: file.url || null,
    directPath: file.directPath || null,
    mediaKey: base64(file.mediaKey) ?? "",
    fileSha256: base64(file.fileSha256),
    fileEncSha256: base64(file.fileEncSha256),
    message: {
      id: key.id ?? "",
      remoteJid: key.remoteJid ?? "",
      fromMe: key.fromMe === true,
      participant: key.participant || null,
    },
  } satisfies ParsedMediaSource;
}

function base64(bytes: Uint8Array | null | undefined): string | null {
  return bytes && bytes.length > 0 ? Buffer.from(bytes).toString("base64") : null;
}
