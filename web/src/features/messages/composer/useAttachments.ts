import { useEffect, useRef, useState } from "react";
import { addFiles, revokePreviews, type Attachment, type RejectedFile } from "./attachments.ts";

/** The attachments of a reply, and the files that were rejected. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [rejected, setRejected] = useState<readonly RejectedFile[]>([]);
  const latest = useRef(attachments);
  useEffect(() => {
    latest.current = attachments;
  });
  // frees the previews' memory when the conversation is left
  useEffect(() => () => revokePreviews(latest.current), []);

  const [add] = useState(() => (files: readonly File[]) => {
    const added = addFiles(latest.current, files);
    latest.current = added.attachments;
    setAttachments(added.attachments);
    setRejected((before) => [...before, ...added.rejected]);
  });
  return {
    attachments,
    rejected,
    add,
    change: setAttachments,
    dismiss: ({ id }: RejectedFile) => setRejected((before) => before.filter((other) => other.id !== id)),
    /** Lets go of the attachments except these. */
    keep(kept: readonly Attachment[]) {
      revokePreviews(attachments.filter((one) => !kept.includes(one)));
      setAttachments(kept);
    },
    clear() {
      revokePreviews(attachments);
      setAttachments([]);
      setRejected([]);
    },
  };
}
