import type { Statement } from "./raw.ts";

/** A statement named by its text, so that each shape of a query that is put together has a plan of its own (decision 0184). */
export function namedByText<Row>(prefix: string, text: string): Statement<Row> {
  let name = names.get(text);
  if (name === undefined) {
    name = `${prefix}_${names.size}`;
    names.set(text, name);
  }
  return { name, text };
}

const names = new Map<string, string>();
