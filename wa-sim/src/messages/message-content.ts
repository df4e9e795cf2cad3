import type { proto } from "baileys";
import type { MediaKind } from "../media/index.ts";

/** A file as a person sends it. */
export interface Attachment {
  caption?: string;
  mimetype?: string;
}

/** What a person or an owner's phone can send. A bare string is a text. */
export type Content = string | ((Plain | Action) & Extras);

type Plain =
  | { text: string }
  | ({ image: Uint8Array } & Attachment)
  | ({ video: Uint8Array; seconds?: number } & Attachment)
  | { audio: Uint8Array; ptt?: boolean; seconds?: number; mimetype?: string }
  | ({ document: Uint8Array; fileName: string } & Attachment)
  | { sticker: Uint8Array; mimetype?: string }
  | { location: { latitude: number; longitude: number; name?: string; address?: string } }
  | { contact: { name: string; number: string } };

export type Action =
  | { reaction: { id: string; emoji: string } }
  | { edit: { id: string; text: string } }
  | { revoke: string }
  /** Any other protobuf message. */
  | { raw: proto.IMessage };

export interface Extras {
  /** Id of the quoted message; it must be in the sender's chats. */
  quote?: string;
  forwarded?: boolean;
}

/** Content of a received message. */
export type ReceivedContent =
  | { kind: "text"; text: string }
  | ({ kind: MediaKind } & ReceivedMedia)
  | { kind: "location"; latitude: number; longitude: number; name?: string }
  | { kind: "contact"; name: string; vcard: string }
  | { kind: "reaction"; to: string; emoji: string }
  | { kind: "edit"; to: string; text: string }
  | { kind: "revoke"; to: string }
  | { kind: "other"; type: string };

export interface ReceivedMedia {
  url: string;
  directPath: string;
  mediaKey: Uint8Array;
  mimetype: string;
  fileSha256: Uint8Array;
  caption?: string;
  fileName?: string;
  seconds?: number;
  ptt?: boolean;
  waveform?: Uint8Array;
  width?: number;
  height?: number;
  thumbnail?: Uint8Array;
}

/** The text or caption of a message, else "". */
export function textOf(content: ReceivedContent): string {
  if (content.kind === "text" || content.kind === "edit") {
    return content.text;
  }
  return "caption" in content ? (content.caption ?? "") : "";
}
