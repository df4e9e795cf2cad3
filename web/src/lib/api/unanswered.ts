/** What `callOnce` remembers of requests that were not answered. Apart from it, because what any call changes concerns them. */
import type { AnyEndpoint } from "@prosa/contract/endpoint";

interface Unanswered {
  readonly key: string;
  /** When it was last sent. */
  readonly at: number;
  readonly path: string;
}

/** By what they carried. */
export const unanswered = new Map<string, Unanswered>();

/**
 * After a change or deletion of a record: the answer that the server keeps of a request may name what is gone or has another name
 * now, so the same content is a new record of that noun.
 */
export function forgetAfter({ method, path }: AnyEndpoint): void {
  if (method === "PUT" || method === "DELETE") {
    forget((one) => nounOf(one.path) === nounOf(path));
  }
}

/** Forgets those of which this is true. */
export function forget(isOver: (one: Unanswered) => boolean): void {
  unanswered.forEach((one, content) => isOver(one) && unanswered.delete(content));
}

function nounOf(path: string): string | undefined {
  return path.split("/")[1];
}
