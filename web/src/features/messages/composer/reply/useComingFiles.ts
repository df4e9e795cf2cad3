import { useEffect, useSyncExternalStore } from "react";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { comingFilesOf, expectFile, onComingFiles } from "./coming-files.ts";

type Verb = "send" | "later";

/** What waits, and how many files had failed when it began to. */
interface Waiting {
  readonly verb: Verb;
  readonly failures: number;
}

/**
 * The files of quick replies, which are fetched after their text is in the field. What is sent or scheduled meanwhile waits for
 * them: it would go out without its file. Where a file fails it is not sent, and `onFailure` says so. An edit has no files: it
 * waits for none, and a reply waits no more once an edit begins, because the field then holds the edit.
 */
export function useComingFiles(
  ticketId: number,
  isEditing: boolean,
  verbs: Readonly<Record<Verb, () => void>> & { readonly onFailure: () => void },
) {
  const coming = useSyncExternalStore(onComingFiles, () => comingFilesOf(ticketId));
  const [waiting, setWaiting] = useStateOf<Waiting | undefined>(ticketId, undefined);
  const run = useStableCallback((verb: Verb) => verbs[verb]());

  // The file that came is an attachment of the reply only when it has been rendered with it.
  useEffect(() => {
    if (!waiting) {
      return;
    }
    if (isEditing || coming.failures > waiting.failures) {
      setWaiting(undefined);
    } else if (coming.count === 0) {
      setWaiting(undefined);
      run(waiting.verb);
    }
  }, [waiting, isEditing, coming, setWaiting, run]);

  return {
    /** Does a reply wait for its file? */
    isWaiting: waiting !== undefined,
    /** Sends or schedules, at once or when the files are here. */
    whenHere(verb: Verb): void {
      if (isEditing || coming.count === 0) {
        verbs[verb]();
      } else {
        setWaiting({ verb, failures: coming.failures });
      }
    },
    /** Nothing waits any more: what is in the field now is not what was to be sent. */
    stopWaiting: () => setWaiting(undefined),
    /** Attaches a file when it has been fetched. */
    expect(file: Promise<File | undefined>, attach: (files: readonly File[]) => Promise<void>): void {
      expectFile(ticketId, file, attach).catch(verbs.onFailure);
    },
  };
}
