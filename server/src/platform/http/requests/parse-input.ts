import type { Finding } from "@prosa/contract/validation.i18n";
import type { z } from "zod";
import { AppError } from "../../ctx.ts";

interface FieldFinding extends Finding {
  /** Of the input as a whole, not of one field. */
  readonly isWhole: boolean;
}

/** ERR_VALIDATION with what the schema found, by path: enough to say it in any language. */
export class InputError extends AppError {
  readonly findings: ReadonlyMap<string, FieldFinding>;

  constructor(findings: ReadonlyMap<string, FieldFinding>) {
    super("ERR_VALIDATION", {
      fields: Object.fromEntries([...findings].map(([path, { message }]) => [path, message])),
    });
    this.findings = findings;
  }
}

/** Parses input by its schema; throws ERR_VALIDATION with `{ fields: { path: message } }`. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    return parsed.data;
  }
  const findings = new Map<string, FieldFinding>();
  for (const issue of parsed.error.issues) {
    const name = issue.path.join(".") || "body";
    // Forms show the first error of a field.
    if (!findings.has(name)) {
      const isWhole = issue.path.length === 0;
      findings.set(name, { ...issue, isWhole, isEmpty: !isWhole && isEmpty(valueAt(value, issue.path)) });
    }
  }
  throw new InputError(findings);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  // A schema may have read the path inside a text, such as a JSON array in a query: then the text is what was given.
  return path.reduce<unknown>(
    (inside, key) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, key) : inside),
    value,
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

export function validationError(fields: Readonly<Record<string, string>>): AppError {
  return new AppError("ERR_VALIDATION", { fields });
}

/** Maximum nesting. No call needs more, and the stack holds far more. */
const maxDepth = 100;

/**
 * Finds text that PostgreSQL cannot store: U+0000, and lone surrogates in jsonb. Refused before the handler runs, so that
 * it is a 400 and not a 500. Returns the path of the first one.
 */
function findUnstorableText(value: unknown, path = "", depth = 0): string | undefined {
  if (depth > maxDepth) {
    return path;
  }
  if (typeof value === "string") {
    return value.includes("\0") || !value.isWellFormed() ? path : undefined;
  }
  if (value === null || typeof value !== "object") {
    return undefined;
  }
  for (const [key, child] of Object.entries(value)) {
    const here = path === "" ? key : `${path}.${key}`;
    const found = findUnstorableText(key) === undefined ? findUnstorableText(child, here, depth + 1) : here;
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Throws ERR_VALIDATION for text that PostgreSQL cannot store. */
export function refuseUnstorableText(value: unknown): void {
  const path = findUnstorableText(value);
  if (path !== undefined) {
    throw validationError({ [path || "body"]: "Contains characters that cannot be stored" });
  }
}
