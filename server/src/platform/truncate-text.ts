/**
 * As much of the beginning as fits. Never half of an emoji: PostgreSQL refuses JSON that ends amid one, and with it all
 * that is written in the same statement.
 */
export function truncateText(text: string, most: number): string {
  const beginning = text.slice(0, most);
  return beginning.isWellFormed() ? beginning : text.slice(0, most - 1).toWellFormed();
}
