/** What a form has read of a list of rows, and what its saves without a good answer have tried instead. */
export interface ReadRows<R> {
  readonly opened: readonly R[];
  readonly tried: readonly (readonly R[])[];
}

/**
 * Pure: which of the rows a form that saves `wanted` tells the server to know, so that what it has not changed stays as colleagues have
 * left it. A row that it took off is known, and one that it leaves as it was when it opened. One that it added, or that a save before,
 * whose answer was lost or which was refused, has tried otherwise, counts as its own. Rows of one key are one; `valueOf` is what else
 * can change in it.
 */
export function knownRows<R>(
  wanted: readonly R[],
  { opened, tried }: ReadRows<R>,
  { keyOf, valueOf }: { readonly keyOf: (row: R) => string; readonly valueOf: (row: R) => string },
): R[] {
  const valuesOf = (rows: readonly R[]) => new Map(rows.map((row) => [keyOf(row), valueOf(row)]));
  const isWanted = valuesOf(wanted);
  const before = [opened, ...tried].map(valuesOf);
  const seen = new Map([...opened, ...tried.flat()].map((row) => [keyOf(row), row]));
  return [...seen].flatMap(([key, row]) =>
    !isWanted.has(key) || before.every((values) => values.get(key) === valueOf(row)) ? [row] : [],
  );
}
