import type { FieldValues } from "react-hook-form";

/** Pure: of the values of a form those that are not as they were when it opened. A file counts as another value than none. */
export function changedValues<V extends FieldValues>(before: Readonly<Record<string, unknown>>, now: V): Partial<V> {
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(now).filter(isChanged)) as Partial<V>;
}
