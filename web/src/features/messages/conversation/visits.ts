/** Which conversations stay in the page? */

/** So many, the open one included: some 15 rows each. */
const KEPT = 6;

export interface Visit {
  readonly ticketId: number;
  /** Rises with each opening of any conversation: what belongs to one look at it begins anew with another number. */
  readonly number: number;
}

/** With this conversation opened once more. The others keep their places, for elements that move lose their scroll position. */
export function withVisit(visits: readonly Visit[], ticketId: number): readonly Visit[] {
  const number = Math.max(0, ...visits.map((visit) => visit.number)) + 1;
  if (visits.some((visit) => visit.ticketId === ticketId)) {
    return visits.map((visit) => (visit.ticketId === ticketId ? { ticketId, number } : visit));
  }
  const oldest = visits.length < KEPT ? undefined : Math.min(...visits.map((visit) => visit.number));
  return [...visits.filter((visit) => visit.number !== oldest), { ticketId, number }];
}
