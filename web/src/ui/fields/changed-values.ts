import type { FieldValues } from "react-hook-form";

/**
 * Pure: of the values of a form those that are not as they were when it opened, and those of the names that a failed save has tried:
 * the server may have these, as its answer was lost or as only a part was refused, so one that is put back is a change too. A file
 * counts as another value than none.
 */
export function changedValues<V extends FieldValues>(
  before: Readonly<Record<string, unknown>>,
  now: V,
  tried: readonly string[] = [],
): Partial<V> {
  const isChanged = ([name, value]: [string, unknown]) =>
    tried.includes(name) || JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(now).filter(isChanged)) as Partial<V>;
}

/**
 * Pure: without those of these secrets that are empty. To a person an empty one is kept, as its field says; to the server it is
 * removed. One that was typed, tried and emptied again is among the changes.
 */
export function withoutEmpty<V extends FieldValues>(changed: V, secrets: readonly (keyof V & string)[]): V {
  const isSent = ([name, value]: [string, unknown]) => value !== "" || !secrets.includes(name);
  return Object.fromEntries(Object.entries(changed).filter(isSent)) as V;
}
