import { isBlank } from "@prosa/contract/blank";
import type { Attachment } from "#web/features/messages/composer/files/attachments.ts";
import { withSignature } from "./signature.ts";

/** The composer's content when send is pressed. */
export interface ComposedReply {
  readonly text: string;
  readonly attachments: readonly Pick<Attachment, "file" | "caption">[];
  /** The name to sign with; undefined: not signed (M-11). */
  readonly signature: string | undefined;
}

export interface OutgoingMessage {
  readonly body: string;
  readonly file: File | null;
}

/**
 * Splits a reply into messages: each file is one with its own caption. The text becomes the caption of the first file
 * if that can have one, else a message of its own. An empty reply gives none: empty text is not sent (specification 1,
 * section 2).
 */
export function splitReply({ text, attachments, signature }: ComposedReply): OutgoingMessage[] {
  const body = isBlank(text) ? "" : text.trim();
  const sign = (unsigned: string) => (signature === undefined ? unsigned : withSignature(unsigned, signature));
  const captions = attachments.map(({ caption }) => (isBlank(caption) ? "" : caption.trim()));
  // WhatsApp shows no caption below audio
  const canHaveText = (index: number) => captions[index] === "" && !attachments[index]?.file.type.startsWith("audio/");
  const captioned = body !== "" && attachments.length > 0 && canHaveText(0) ? 0 : -1;

  const files = attachments.map(({ file }, index) => ({
    body: sign(index === captioned ? body : (captions[index] ?? "")),
    file,
  }));
  return body === "" || captioned !== -1 ? files : [...files, { body: sign(body), file: null }];
}
