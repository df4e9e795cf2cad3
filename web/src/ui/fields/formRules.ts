/** How do errors of the contract's schema, and of the server's response, reach their form field? */
import type { FieldError, FieldErrors, FieldValues, Resolver } from "react-hook-form";
import { ApiError } from "#web/lib/api/apiError.ts";
import { errorText } from "#web/lib/api/errors.i18n.ts";
import type { Language } from "#web/lib/text/i18n.ts";
import { findingText } from "@prosa/contract/validation.i18n";

/** The part of a zod schema that forms use; zod itself stays out of the first load. */
interface Schema {
  readonly safeParseAsync: (
    values: unknown,
  ) => Promise<
    { readonly success: true } | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } }
  >;
}
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
}
export type LoadSchema = () => Promise<Schema>;

/**
 * Validates a form with a schema that is fetched at the first validation. Values go to the server as typed. A schema that cannot be
 * fetched is an error of the form (`RulesAlert`): react-hook-form throws what a resolver throws where nobody catches it.
 */
export function contractResolver<V extends FieldValues>(load: LoadSchema, language: Language): Resolver<V> {
  return async (values) => {
    const schema = await load().catch(() => loadAgain(load));
    if (typeof schema === "string") {
      return { values: {}, errors: { root: { type: schema } } as FieldErrors<V> };
    }
    const checked = await schema.safeParseAsync(values);
    return checked.success
      ? { values, errors: {} }
      : { values: {}, errors: toErrors<V>(checked.error.issues, values, language) };
  };
}

/** A release deletes the chunks of the old build. A browser reports that as it does a lost connection, so the server is asked. */
async function loadAgain(load: LoadSchema): Promise<Schema | "network" | "gone"> {
  try {
    await fetch("/build.txt", { cache: "no-store" });
  } catch {
    return "network";
  }
  return load().catch(() => "gone");
}

/** The first error of each field, as text in the user's language. */
function toErrors<V extends FieldValues>(issues: readonly Issue[], values: V, language: Language): FieldErrors<V> {
  const errors: Record<string, FieldError> = {};
  for (const issue of issues) {
    const name = issue.path.map(String).join(".");
    if (!(name in errors)) {
      const message = findingText({ ...issue, isEmpty: isEmpty(valueAt(values, issue.path)) }, language);
      errors[name] = { type: issue.code ?? "invalid", message };
    }
  }
  return errors as FieldErrors<V>;
}

/** Field errors of a server response: by its details (`{ fields: { name: "Too Short!" } }`) or by its error code. */
export function serverFieldErrors(
  error: unknown,
  fieldOfError: Readonly<Partial<Record<string, string>>>,
  language: Language,
): readonly { readonly name: string; readonly message: string }[] {
  if (!(error instanceof ApiError)) {
    return [];
  }
  const byCode = fieldOfError[error.code];
  if (byCode !== undefined) {
    return [{ name: byCode, message: errorText(error, language) }];
  }
  const { fields } = error.details;
  return isRecord(fields)
    ? Object.entries(fields).map(([name, message]) => ({
        name,
        message: findingText({ message: String(message) }, language),
      }))
    : [];
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined),
    values,
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
