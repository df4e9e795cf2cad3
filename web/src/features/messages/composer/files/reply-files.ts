/** The files of a conversation's reply, also of one that is not open any more: they belong to the conversation, not to the visit. */
import { isReadable } from "../../readable-file.ts";
import { addFiles, previewOf, revokePreviews, type Attachment } from "./attachments.ts";
import { loadFiles, saveFiles, type KeptFile } from "./draft-files.ts";

/** The reply of a conversation that is open, with its kept files. */
export interface ShownReply {
  /** Returns those of the files that are attached now. */
  readonly add: (files: readonly File[]) => readonly Attachment[];
  readonly takeOut: (id: string) => void;
  /** Takes the file out, and says that it cannot be read. */
  readonly reject: (attachment: Attachment) => void;
}

/** Those that are open, by ticket. A file that was fetched or scheduled by a visit that is over belongs to the visit of now. */
export const shownReplies = new Map<number, ShownReply>();

/** Kept files are read and changed one after the other: a file that comes while they are read is in what is shown. */
let turn = Promise.resolve();
export function inTurn(work: () => Promise<void>): Promise<void> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/**
 * Files join those that are shown, or the kept ones, which are not here yet or no more. Resolves when they have. What turns out to be
 * unreadable, as a folder, is taken out again: shown at once, an Enter right after the drop sends the file too.
 */
export async function attachTo(ticketId: number, files: readonly File[]): Promise<void> {
  await changeFiles(
    ticketId,
    (reply) => {
      for (const attachment of reply.add(files)) {
        void isReadable(attachment.file).then((isFine) => isFine || shownReplies.get(ticketId)?.reject(attachment));
      }
    },
    (kept) => {
      const { attachments } = addFiles(kept.map(withPreview), files);
      revokePreviews(attachments);
      return attachments;
    },
  );
}

/** One file leaves the reply: it went another way. The others stay, also those that came since. */
export async function takeOutOf(ticketId: number, id: string): Promise<void> {
  await changeFiles(
    ticketId,
    (reply) => reply.takeOut(id),
    (kept) => kept.filter((one) => one.id !== id),
  );
}

async function changeFiles(
  ticketId: number,
  changeShown: (reply: ShownReply) => void,
  changeKept: (kept: readonly KeptFile[]) => readonly KeptFile[],
): Promise<void> {
  const isDone = () => {
    const reply = shownReplies.get(ticketId);
    if (reply) {
      changeShown(reply);
    }
    return reply !== undefined;
  };
  if (isDone()) {
    return;
  }
  await inTurn(async () => {
    // opened by the turn before
    if (!isDone()) {
      await saveFiles(ticketId, changeKept(await loadFiles(ticketId)));
    }
  });
}

/** A kept file as it is shown. */
export const withPreview = (kept: KeptFile): Attachment => ({ ...kept, preview: previewOf(kept.file) });
