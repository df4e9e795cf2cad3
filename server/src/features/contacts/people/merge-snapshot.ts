import { undoMergeWithinMinutes } from "@prosa/contract";
import type { ContactsSnapshot } from "./merge-contacts.queries.ts";

/** The JSON of `contact_merges.snapshot`. */
export interface MergeSnapshot {
  readonly contacts: ContactsSnapshot;
  /** The snapshot of the merge participants. The key is stored: renaming it breaks the undo of merges before. */
  readonly belongings: unknown;
}

/** Until when a merge can be undone. */
export function undoUntil(mergedAt: Date): Date {
  return new Date(mergedAt.getTime() + undoMergeWithinMinutes * 60_000);
}
