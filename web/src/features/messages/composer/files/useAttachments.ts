import { useEffect, useMemo, useRef } from "react";
import { afterPaint } from "#web/lib/browser/useAfterPaint.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { addFiles, previewOf, revokePreviews, type Attachment, type RejectedFile } from "./attachments.ts";
import { loadFiles, onFilesChanged, rereadFiles, saveFiles, type KeptFile } from "./draft-files.ts";

const noAttachments: readonly Attachment[] = [];

/** The attachments of a reply, kept with its draft, and the files that were rejected. */
export function useAttachments(ticketId: number) {
  const [attachments, setAttachments] = useStateOf(ticketId, noAttachments);
  const [rejected, setRejected] = useStateOf<readonly RejectedFile[]>(ticketId, []);
  const latest = useRef(attachments);
  /** The conversation whose kept files are shown. */
  const loadedFor = useRef<number>(undefined);
  /** Files that were added before that, one addition after the other. */
  const early = useRef(Promise.resolve());

  const { show, change, add } = useMemo(() => {
    const showThem = (next: readonly Attachment[]) => {
      latest.current = next;
      setAttachments(next);
    };
    const changeTo = (next: readonly Attachment[]) => {
      revokePreviews(latest.current.filter((one) => !next.some(({ id }) => id === one.id)));
      showThem(next);
      void saveFiles(ticketId, next);
    };
    const addNow = (files: readonly File[]) => {
      const added = addFiles(latest.current, files);
      if (added.attachments.length > latest.current.length) {
        changeTo(added.attachments);
      }
      setRejected((before) => [...before, ...added.rejected]);
    };
    return {
      show: showThem,
      change: changeTo,
      add(files: readonly File[]) {
        if (loadedFor.current === ticketId) {
          addNow(files);
          return;
        }
        // they join the kept ones, which are not here yet
        early.current = early.current.then(async () => {
          const kept = await loadFiles(ticketId);
          if (loadedFor.current === ticketId) {
            addNow(files);
          } else {
            const { attachments: all } = addFiles(kept.map(withPreview), files);
            revokePreviews(all);
            await saveFiles(ticketId, all);
          }
        });
      },
    };
  }, [ticketId, setAttachments, setRejected]);

  useEffect(() => {
    let isLeft = false;
    const load = async (find: typeof loadFiles) => {
      const before = latest.current;
      const kept = await find(ticketId);
      // files that were chosen meanwhile are newer
      if (!isLeft && latest.current === before) {
        revokePreviews(before);
        show(kept.map(withPreview));
      }
      if (!isLeft) {
        loadedFor.current = ticketId;
      }
    };
    const stopWaiting = afterPaint(() => void load(loadFiles));
    const stop = onFilesChanged(ticketId, () => void load(rereadFiles));
    return () => {
      isLeft = true;
      stopWaiting();
      stop();
      // frees the previews' memory when the conversation is left
      revokePreviews(latest.current);
      latest.current = noAttachments;
      loadedFor.current = undefined;
    };
  }, [ticketId, show]);

  return {
    attachments,
    rejected,
    add,
    change,
    dismiss: ({ id }: RejectedFile) => setRejected((before) => before.filter((other) => other.id !== id)),
    /** After sending: what is not loaded yet was not sent either. */
    clear() {
      if (loadedFor.current === ticketId) {
        change([]);
      }
      setRejected([]);
    },
  };
}

const withPreview = (kept: KeptFile): Attachment => ({ ...kept, preview: previewOf(kept.file) });
