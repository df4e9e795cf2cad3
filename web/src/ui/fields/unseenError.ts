import type { FieldErrors } from "react-hook-form";

/** The part of a form's element that is looked at. */
interface Shown {
  readonly textContent: string | null;
  readonly querySelector: (selector: string) => unknown;
}

/**
 * What keeps a form from being saved where nothing in it says so: the message of an error whose field is not shown, as one that
 * depends on another's choice. Undefined as long as a field is marked, or says the message of one of the errors. `alert` is the
 * element that shows this, whose own text does not count.
 */
export function unseenError(errors: FieldErrors, form: Shown, alert: Pick<Shown, "textContent">): string | undefined {
  const found = Object.values(errors).flatMap((error) => (typeof error?.message === "string" ? [error.message] : []));
  if (found.length === 0 || form.querySelector("[aria-invalid=true]")) {
    return undefined;
  }
  const text = form.textContent?.replace(alert.textContent ?? "", "") ?? "";
  return found.some((message) => text.includes(message)) ? undefined : found[0];
}
