import { useEffect } from "react";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";

type Verb = "send" | "later";

/**
 * The files of quick replies, which are fetched after their text is in the field. What is sent or scheduled meanwhile waits for
 * them: it would go out without its file. Where a file fails it is not sent, and `onFailure` says so.
 */
export function useComingFiles(
  ticketId: number,
  verbs: Readonly<Record<Verb, () => void>> & { readonly onFailure: () => void },
) {
  const [coming, setComing] = useStateOf(ticketId, 0);
  const [waiting, setWaiting] = useStateOf<Verb | undefined>(ticketId, undefined);
  const run = useStableCallback((verb: Verb) => verbs[verb]());

  // The file that came is an attachment of the reply only when it has been rendered with it.
  useEffect(() => {
    if (waiting && coming === 0) {
      setWaiting(undefined);
      run(waiting);
    }
  }, [waiting, coming, setWaiting, run]);

  return {
    /** Does a reply wait for its file? */
    isWaiting: waiting !== undefined,
    /** Sends or schedules, at once or when the files are here. */
    whenHere(verb: Verb): void {
      if (coming === 0) {
        verbs[verb]();
      } else {
        setWaiting(verb);
      }
    },
    /** Nothing waits any more: what is in the field now is not what was to be sent. */
    stopWaiting: () => setWaiting(undefined),
    /** Attaches a file when it has been fetched. */
    async expect(file: Promise<File | undefined>, attach: (files: readonly File[]) => void): Promise<void> {
      setComing((count) => count + 1);
      try {
        const fetched = await file;
        if (fetched) {
          attach([fetched]);
        }
      } catch {
        setWaiting(undefined);
        verbs.onFailure();
      } finally {
        setComing((count) => count - 1);
      }
    },
  };
}
