import { isBlank } from "@prosa/contract/blank";
import type { Attachment } from "./attachments.ts";
import { signed } from "./signature.ts";

/** What somebody wrote and attached, when they press send. */
export interface Written {
  readonly text: string;
  readonly attachments: readonly Pick<Attachment, "file" | "caption">[];
  /** The name to sign with; undefined: not signed (M-11). */
  readonly signature: string | undefined;
}

/** One message to be. */
export interface Piece {
  readonly body: string;
  readonly file: File | null;
}

/**
 * The messages that an answer becomes: each file is one with its own caption, and the text stands with the first file
 * that can carry it, else by itself. Nothing for an empty answer: empty text is not sent (specification 1, section 2).
 */
export function piecesOf({ text, attachments, signature }: Written): Piece[] {
  const words = isBlank(text) ? "" : text.trim();
  const sign = (body: string) => (signature === undefined ? body : signed(body, signature));
  const captions = attachments.map(({ caption }) => (isBlank(caption) ? "" : caption.trim()));
  // WhatsApp shows no words below a sound
  const isFree = (index: number) => captions[index] === "" && !attachments[index]?.file.type.startsWith("audio/");
  const carrier = words !== "" && attachments.length > 0 && isFree(0) ? 0 : -1;

  const files = attachments.map(({ file }, index) => ({
    body: sign(index === carrier ? words : (captions[index] ?? "")),
    file,
  }));
  return words === "" || carrier !== -1 ? files : [...files, { body: sign(words), file: null }];
}
