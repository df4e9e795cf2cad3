import { useCallback, useEffect, useMemo, useRef } from "react";
import { afterPaint } from "#web/lib/browser/useAfterPaint.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { addFiles, previewOf, revokePreviews, type Attachment, type RejectedFile } from "./attachments.ts";
import { loadFiles, onFilesChanged, rereadFiles, saveFiles, type KeptFile } from "./draft-files.ts";

const noAttachments: readonly Attachment[] = [];

type Add = (files: readonly File[]) => void;

/**
 * Who adds to the reply of a conversation that is open and whose kept files are shown, by ticket. A file that was fetched for a
 * visit that is over belongs to the visit of now.
 */
const shown = new Map<number, Add>();

/** Kept files are read and added to one after the other: a file that comes while they are read is in what is shown. */
let turn = Promise.resolve();
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/** The attachments of a reply, kept with its draft, and the files that were rejected. */
export function useAttachments(ticketId: number) {
  const [attachments, setAttachments] = useStateOf(ticketId, noAttachments);
  const [rejected, setRejected] = useStateOf<readonly RejectedFile[]>(ticketId, []);
  const latest = useRef(attachments);

  const { show, change, addNow } = useMemo(() => {
    const showThem = (next: readonly Attachment[]) => {
      latest.current = next;
      setAttachments(next);
    };
    const changeTo = (next: readonly Attachment[]) => {
      revokePreviews(latest.current.filter((one) => !next.some(({ id }) => id === one.id)));
      showThem(next);
      void saveFiles(ticketId, next);
    };
    const addThem: Add = (files) => {
      const added = addFiles(latest.current, files);
      if (added.attachments.length > latest.current.length) {
        changeTo(added.attachments);
      }
      setRejected((before) => [...before, ...added.rejected]);
    };
    return { show: showThem, change: changeTo, addNow: addThem };
  }, [ticketId, setAttachments, setRejected]);
  const attach = useCallback((files: readonly File[]) => attachTo(ticketId, files), [ticketId]);
  const add = useCallback<Add>((files) => void attach(files), [attach]);

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
          shown.set(ticketId, addNow);
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
      if (shown.get(ticketId) === addNow) {
        shown.delete(ticketId);
      }
    };
  }, [ticketId, show, addNow]);

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
      if (shown.get(ticketId) === addNow) {
        change([]);
      }
      setRejected([]);
    },
  };
}

/** Files join those that are shown, or the kept ones, which are not here yet or no more. */
async function attachTo(ticketId: number, files: readonly File[]): Promise<void> {
  const isAdded = () => {
    const addNow = shown.get(ticketId);
    addNow?.(files);
    return addNow !== undefined;
  };
  if (isAdded()) {
    return;
  }
  await inTurn(async () => {
    // opened by the turn before
    if (isAdded()) {
      return;
    }
    const kept = await loadFiles(ticketId);
    const { attachments: all } = addFiles(kept.map(withPreview), files);
    revokePreviews(all);
    await saveFiles(ticketId, all);
  });
}

const withPreview = (kept: KeptFile): Attachment => ({ ...kept, preview: previewOf(kept.file) });
