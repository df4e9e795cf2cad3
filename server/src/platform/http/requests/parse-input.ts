import type { z } from "zod";
import { AppError } from "../../ctx.ts";

/** Parses input by its schema; throws ERR_VALIDATION with `{ fields: { path: message } }`. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const fields = new Map<string, string>();
    for (const { path, message } of parsed.error.issues) {
      const name = path.join(".") || "body";
      // Forms show the first error of a field.
      fields.set(name, fields.get(name) ?? message);
    }
    throw validationError(Object.fromEntries(fields));
  }
  return parsed.data;
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
