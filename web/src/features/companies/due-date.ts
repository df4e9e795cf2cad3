/** How near is a company's due date? */

export type DueTone = "yellow" | "orange" | "red";

/** The row's colour by the days left (specification 2 section 4): yellow at 5, orange from 4 to -3, red at -4. */
export function dueTone(days: number): DueTone | undefined {
  if (days === 5) {
    return "yellow";
  }
  if (days <= 4 && days >= -3) {
    return "orange";
  }
  return days === -4 ? "red" : undefined;
}
