import type { z } from "zod";
import { AppError } from "../../ctx.ts";

/** Parses what came in by its contract; throws ERR_VALIDATION with `{ fields: { path: message } }`. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const fields = new Map<string, string>();
    for (const { path, message } of parsed.error.issues) {
      const name = path.join(".") || "body";
      // The first thing that is wrong with a field is what its form shows.
      fields.set(name, fields.get(name) ?? message);
    }
    throw validationError(Object.fromEntries(fields));
  }
  return parsed.data;
}

export function validationError(fields: Readonly<Record<string, string>>): AppError {
  return new AppError("ERR_VALIDATION", { fields });
}

/** No call of ours nests deeper, and far fewer than the stack holds. */
const deepest = 100;

/**
 * Text that PostgreSQL cannot keep: U+0000 anywhere, and halves of surrogate pairs in jsonb. Refused at the door, so
 * that it is the sender's 400 and not our 500. Returns the path of the first one.
 */
function findUnstorableText(value: unknown, path = "", depth = 0): string | undefined {
  if (depth > deepest) {
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

/** Throws ERR_VALIDATION where `findUnstorableText` finds something. */
export function refuseUnstorableText(value: unknown): void {
  const path = findUnstorableText(value);
  if (path !== undefined) {
    throw validationError({ [path || "body"]: "Contains characters that cannot be stored" });
  }
}
