/** Which answers of the server are kept in the browser, how many of each kind, and for how long? Pure. */
import type { InfiniteData, QueryKey } from "@tanstack/react-query";
import { beforeAnyGap } from "#web/lib/realtime/refetchAll.ts";

export type KeptKind = "user" | "desk" | "ticket" | "messages" | "notes";

export interface KeptRecord {
  readonly name: string;
  readonly kind: KeptKind;
  /** When it was written, in ms. */
  readonly at: number;
  readonly bytes: number;
}

/** The last 30 conversations, and the lists and choices of the desk. */
const mostOf: Readonly<Record<KeptKind, number>> = { user: 1, desk: 20, ticket: 30, messages: 30, notes: 30 };
const KEEP_MS = 7 * 24 * 3_600_000;
const MOST_BYTES = 10_000_000;

/** Undefined for what is not kept: searches, glances at waiting conversations, other screens. */
export function kindOf([noun, part, list]: QueryKey): KeptKind | undefined {
  switch (noun) {
    case "tickets":
      if (part === "list") {
        return (list as { readonly searchParam: string }).searchParam === "" ? "desk" : undefined;
      }
      return part === "counts" ? "desk" : part === "one" ? "ticket" : undefined;
    case "queues":
    case "tags":
      return part === "lookup" ? "desk" : undefined;
    case "messages":
      return typeof part === "number" && list === undefined ? "messages" : undefined;
    case "notes":
      return typeof part === "number" ? "notes" : undefined;
    default:
      return undefined;
  }
}

/** The part that is kept: of pages the newest, older than any change, so that it is fetched again. */
export function keptPart(data: unknown): unknown {
  if (typeof data === "object" && data !== null && "pages" in data && "pageParams" in data) {
    const { pages, pageParams } = data as InfiniteData<object>;
    return {
      pages: pages.slice(0, 1).map((page) => ({ ...page, asOf: beforeAnyGap })),
      pageParams: pageParams.slice(0, 1),
    };
  }
  return data;
}

/** What has to go: too old, too many of its kind, too much together; the oldest first. */
export function surplus(records: readonly KeptRecord[], now: number): readonly KeptRecord[] {
  const counts = new Map<KeptKind, number>();
  let bytes = 0;
  return records
    .toSorted((a, b) => b.at - a.at)
    .filter((record) => {
      const count = (counts.get(record.kind) ?? 0) + 1;
      const isOver =
        record.at < now - KEEP_MS ||
        record.at > now + KEEP_MS ||
        count > mostOf[record.kind] ||
        bytes + record.bytes > MOST_BYTES;
      if (!isOver) {
        counts.set(record.kind, count);
        bytes += record.bytes;
      }
      return isOver;
    });
}
