import { Kind } from "./kinds.ts";
import { Form } from "./table.ts";

/** What earlier rows kept, by name. */
export type Kept = Map<string, unknown>;

/** Puts the kept values in: `"{tag}"` becomes the value with its type, `"/tags/{tag}"` its text. */
export function fill(value: unknown, kept: Kept): unknown {
  if (typeof value === "string") {
    return fillText(value, kept);
  }
  if (value instanceof Kind) {
    return value.with(fill(value.inner, kept));
  }
  if (value instanceof Form) {
    return new Form(
      value.parts.map(([field, part]) => [field, typeof part === "string" ? String(fillText(part, kept)) : part]),
    );
  }
  if (Array.isArray(value)) {
    return value.map((each) => fill(each, kept));
  }
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, kept)]));
  }
  return value;
}

/** The value at a place of an answer: `"users.0.id"`; "" is the whole answer. */
export function at(answer: unknown, place: string): unknown {
  const steps = place === "" ? [] : place.split(".");
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], answer);
}

function fillText(template: string, kept: Kept): unknown {
  const whole = /^\{(\w+)\}$/u.exec(template)?.[1];
  if (whole !== undefined) {
    return valueOf(whole, kept);
  }
  return template.replaceAll(/(?<!\{)\{(\w+)\}(?!\})/gu, (_, name: string) => String(valueOf(name, kept)));
}

function valueOf(name: string, kept: Kept): unknown {
  if (kept.get(name) === undefined) {
    throw new Error(`No row before this one kept {${name}}`);
  }
  return kept.get(name);
}
