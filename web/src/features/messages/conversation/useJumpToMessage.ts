import { useCallback, useEffect, useRef } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { conversationMessages } from "../messages.i18n.ts";
import { messagesOf, type RowMessages } from "./timeline.ts";

/** How long a message that was jumped to stays highlighted (ms), and how many pages a jump may load. */
const highlightMs = 1_600;
const maxJumpPages = 50;

/** Jumps to a message that was quoted or found; loads older pages until it is there. */
export function useJumpToMessage(parts: {
  /** Which look at the conversation; a jump ends with it. 0 while nobody looks. */
  readonly visit: number;
  readonly rows: readonly RowMessages[];
  readonly hasNextPage: boolean;
  /** Does not reject. */
  readonly fetchNextPage: () => Promise<{ readonly error: Error | null }>;
  /** Sets the target of the fetches that follow: pages are large while there is one. */
  readonly setTarget: (messageId: number | undefined) => void;
  readonly scrollTo: (index: number) => void;
  readonly setHighlighted: (messageId: number | undefined) => void;
}) {
  const t = useMessages(conversationMessages);
  const [jump, setJump] = useStateOf<{ readonly id: number; readonly pages: number } | undefined>(
    parts.visit,
    undefined,
  );
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });

  useEffect(() => {
    const { rows, hasNextPage, fetchNextPage, setTarget, scrollTo, setHighlighted } = latest.current;
    setTarget(jump?.id);
    if (!jump) {
      return;
    }
    const index = rows.findIndex((row) => messagesOf(row).some(({ id }) => id === jump.id));
    if (index !== -1) {
      scrollTo(index);
      setHighlighted(jump.id);
      setJump(undefined);
      setTimeout(() => setHighlighted(undefined), highlightMs);
    } else if (hasNextPage && jump.pages < maxJumpPages) {
      void fetchNextPage().then(({ error }) => {
        setJump(error ? undefined : { id: jump.id, pages: jump.pages + 1 });
        if (error) {
          toast.failure(error);
        }
      });
    } else {
      setJump(undefined);
      toast.info(t("notLoaded"));
    }
  }, [jump, setJump, t]);

  return useCallback((id: number) => setJump({ id, pages: 0 }), [setJump]);
}
