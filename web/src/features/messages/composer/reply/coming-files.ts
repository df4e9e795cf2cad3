/**
 * Files of quick replies that are on their way to a reply, by ticket. Not in the form: who leaves a conversation and returns finds
 * the text there as a draft, and its file may still be coming.
 */
export interface ComingFiles {
  readonly count: number;
  /** How many did not come so far: a reply that waits for one of them is not sent. */
  readonly failures: number;
}

const none: ComingFiles = { count: 0, failures: 0 };
const byTicket = new Map<number, ComingFiles>();
const listeners = new Set<() => void>();

/** The same object until it changes. */
export function comingFilesOf(ticketId: number): ComingFiles {
  return byTicket.get(ticketId) ?? none;
}

/** Calls back when files of any ticket begin to come, have come or failed; returns how to stop that. */
export function onComingFiles(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Counts a file as coming until it is attached to the reply. Rejects where it was not fetched. */
export async function expectFile(
  ticketId: number,
  file: Promise<File | undefined>,
  attach: (files: readonly File[]) => Promise<void>,
): Promise<void> {
  count(ticketId, 1, 0);
  try {
    const fetched = await file;
    if (fetched) {
      await attach([fetched]);
    }
  } catch (error) {
    count(ticketId, -1, 1);
    throw error;
  }
  count(ticketId, -1, 0);
}

function count(ticketId: number, files: number, failures: number): void {
  const before = comingFilesOf(ticketId);
  byTicket.set(ticketId, { count: before.count + files, failures: before.failures + failures });
  listeners.forEach((listener) => listener());
}
