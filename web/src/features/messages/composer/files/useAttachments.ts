import { useCallback, useEffect, useMemo, useRef } from "react";
import { newId } from "#web/lib/browser/random.ts";
import { afterPaint } from "#web/lib/browser/useAfterPaint.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { addFiles, revokePreviews, type Attachment, type RejectedFile } from "./attachments.ts";
import { loadFiles, onFilesChanged, rereadFiles, saveFiles } from "./draft-files.ts";
import { attachTo, inTurn, shownReplies, withPreview, type ShownReply } from "./reply-files.ts";

const noAttachments: readonly Attachment[] = [];

/** The attachments of a reply, kept with its draft, and the files that were rejected. */
export function useAttachments(ticketId: number) {
  const [attachments, setAttachments] = useStateOf(ticketId, noAttachments);
  const [rejected, setRejected] = useStateOf<readonly RejectedFile[]>(ticketId, []);
  const latest = useRef(attachments);

  const { show, change, reply } = useMemo(() => {
    const showThem = (next: readonly Attachment[]) => {
      latest.current = next;
      setAttachments(next);
    };
    const changeTo = (next: readonly Attachment[]) => {
      revokePreviews(latest.current.filter((one) => !next.some(({ id }) => id === one.id)));
      showThem(next);
      void saveFiles(ticketId, next);
    };
    const takeOut = (id: string) => {
      if (latest.current.some((one) => one.id === id)) {
        changeTo(latest.current.filter((one) => one.id !== id));
      }
    };
    const shown: ShownReply = {
      add(files) {
        const before = latest.current;
        const added = addFiles(before, files);
        if (added.attachments.length > before.length) {
          changeTo(added.attachments);
        }
        setRejected((others) => [...others, ...added.rejected]);
        return added.attachments.slice(before.length);
      },
      takeOut,
      reject({ id, file }) {
        // what was sent meanwhile says in the conversation what became of it
        if (latest.current.some((one) => one.id === id)) {
          takeOut(id);
          setRejected((others) => [...others, { id: newId(), name: file.name, reason: "unreadable" }]);
        }
      },
    };
    return { show: showThem, change: changeTo, reply: shown };
  }, [ticketId, setAttachments, setRejected]);
  const attach = useCallback((files: readonly File[]) => attachTo(ticketId, files), [ticketId]);
  const add = useCallback((files: readonly File[]) => void attach(files), [attach]);

  useEffect(() => {
    let isLeft = false;
    const load = (find: typeof loadFiles) =>
      inTurn(async () => {
        const before = latest.current;
        const kept = await find(ticketId);
        // files that were chosen meanwhile are newer
        if (!isLeft && latest.current === before) {
          revokePreviews(before);
          show(kept.map(withPreview));
        }
        if (!isLeft) {
          shownReplies.set(ticketId, reply);
        }
      });
    const stopWaiting = afterPaint(() => void load(loadFiles));
    const stop = onFilesChanged(ticketId, () => void load(rereadFiles));
    return () => {
      isLeft = true;
      stopWaiting();
      stop();
      // frees the previews' memory when the conversation is left
      revokePreviews(latest.current);
      latest.current = noAttachments;
      if (shownReplies.get(ticketId) === reply) {
        shownReplies.delete(ticketId);
      }
    };
  }, [ticketId, show, reply]);

  return {
    attachments,
    rejected,
    add,
    /** Like `add`; resolves when the files are shown, or kept for when the conversation is opened again. */
    attach,
    change,
    dismiss: ({ id }: RejectedFile) => setRejected((before) => before.filter((other) => other.id !== id)),
    /** After sending: what is not loaded yet was not sent either. */
    clear() {
      if (shownReplies.get(ticketId) === reply) {
        change([]);
      }
      setRejected([]);
    },
  };
}
