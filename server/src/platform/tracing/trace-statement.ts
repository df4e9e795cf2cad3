import { traced } from "./traced.ts";

const MAX_TEXT = 1_000;

interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
}

/** A statement as a span: its text with placeholders, never its values. */
export function tracedStatement<T>({ name, text }: Statement, run: () => Promise<T>): Promise<T> {
  return traced(
    () => ({
      name: name ?? (/^\s*(\w+)/u.exec(text)?.[1] ?? "statement").toLowerCase(),
      kind: "client",
      attributes: { "db.system.name": "postgresql", "db.query.text": text.slice(0, MAX_TEXT) },
      needsParent: true,
    }),
    run,
  );
}
