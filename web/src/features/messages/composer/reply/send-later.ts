import type { Attachment } from "#web/features/messages/composer/files/attachments.ts";

/** What goes from the composer into a scheduled message, which carries one file. */
export interface LaterReply {
  /** With its variables: they get their values when it is sent. */
  readonly body: string;
  readonly file: File | undefined;
  /** How many chosen files stay in the composer. */
  readonly filesLeft: number;
  /** It was scheduled: the composer lets go of it. */
  readonly onSaved: () => void;
}

/** The reply as it stands in the composer; a file's caption is the text where there is no other. `onSaved` gets the file that went along. */
export function laterReply(
  text: string,
  attachments: readonly Attachment[],
  onSaved: (scheduled: Attachment | undefined) => void,
): LaterReply {
  const [first, ...left] = attachments;
  const body = text.trim() === "" ? (first?.caption ?? "") : text.trim();
  return { body, file: first?.file, filesLeft: left.length, onSaved: () => onSaved(first) };
}
