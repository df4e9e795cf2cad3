import type { Ticket } from "@prosa/contract/tickets";

/** Whoever waits longer than this is in the first group, in minutes. */
export const LONG_WAIT_MINUTES = 15;

/** A line of the list: a row by its index in the tickets, or the head above a group of rows. */
export type ListItem =
  | { readonly kind: "row"; readonly index: number }
  | {
      readonly kind: "head";
      readonly group: "long" | "now";
      /** Undefined: more than are loaded. */
      readonly count: number | undefined;
    };

/** How many of the tickets, longest waiting first, have waited for more than 15 minutes? */
export function longWaitingCount(tickets: readonly Pick<Ticket, "waitingSince">[], now: number): number {
  const since = now - LONG_WAIT_MINUTES * 60_000;
  const first = tickets.findIndex(({ waitingSince }) => waitingSince === null || Date.parse(waitingSince) > since);
  return first === -1 ? tickets.length : first;
}

/** The lines of a list in two groups; a group without rows has no head. */
export function groupedItems(list: {
  readonly rowCount: number;
  readonly longCount: number;
  /** Of all pages, loaded or not. */
  readonly total: number;
}): readonly ListItem[] {
  const { rowCount, longCount, total } = list;
  const rows = plainItems(rowCount);
  const isBoundaryLoaded = longCount < rowCount || rowCount >= total;
  const long = { kind: "head", group: "long", count: isBoundaryLoaded ? longCount : undefined } as const;
  const now = { kind: "head", group: "now", count: Math.max(total, rowCount) - longCount } as const;
  return [
    ...(longCount > 0 ? [long, ...rows.slice(0, longCount)] : []),
    ...(longCount < rowCount ? [now, ...rows.slice(longCount)] : []),
  ];
}

/** The lines of a list without groups. */
export function plainItems(rowCount: number): readonly ListItem[] {
  return Array.from({ length: rowCount }, (_, index) => ({ kind: "row", index }));
}
