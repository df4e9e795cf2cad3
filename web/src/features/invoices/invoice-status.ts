import type { Invoice } from "@prosa/contract/invoices";
import { daysUntil } from "#web/lib/text/format.ts";

/** What is shown of an invoice: unpaid and due before today is overdue (specification 2, section 4). */
export function shownStatus(
  { status, dueDate }: Pick<Invoice, "status" | "dueDate">,
  timeZone: string,
  now: number,
): "paid" | "overdue" | "open" | "cancelled" {
  return status === "open" && daysUntil(dueDate, timeZone, now) < 0 ? "overdue" : status;
}
