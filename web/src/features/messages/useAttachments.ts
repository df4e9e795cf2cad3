import { useEffect, useRef, useState } from "react";
import { addFiles, release, type Attachment, type Refusal } from "./attachments.ts";

/** What is about to be sent with an answer, and the files that could not be taken in. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const latest = useRef(attachments);
  useEffect(() => {
    latest.current = attachments;
  });
  // a conversation that is left gives the previews' memory back
  useEffect(() => () => release(latest.current), []);

  const [takeIn] = useState(() => (files: readonly File[]) => {
    const added = addFiles(latest.current, files);
    latest.current = added.attachments;
    setAttachments(added.attachments);
    setRefusals((before) => [...before, ...added.refusals]);
  });
  return {
    attachments,
    refusals,
    takeIn,
    change: setAttachments,
    dismiss: ({ id }: Refusal) => setRefusals((before) => before.filter((other) => other.id !== id)),
    clear() {
      release(attachments);
      setAttachments([]);
      setRefusals([]);
    },
  };
}
