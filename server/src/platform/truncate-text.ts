/**
 * The first `max` UTF-16 units of a text, without splitting a surrogate pair: PostgreSQL refuses JSON with half of one,
 * and with it the whole statement.
 */
export function truncateText(text: string, max: number): string {
  const beginning = text.slice(0, max);
  return beginning.isWellFormed() ? beginning : text.slice(0, max - 1).toWellFormed();
}
