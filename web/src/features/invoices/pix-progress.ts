import type { InvoiceDetails } from "@prosa/contract/invoices";

/** What has become of an invoice since its Pix is shown. */
export type Progress =
  | { readonly state: "waiting" | "cancelled" }
  /** Its code can be paid no more. */
  | { readonly state: "expired" }
  | { readonly state: "paid"; readonly paidUntil: string | null }
  /** `arrived`: paid meanwhile, in reais, which did not reach; `due`: what is to be paid now. */
  | { readonly state: "changed"; readonly arrived: number; readonly due: number };

interface Seen extends Pick<InvoiceDetails, "status" | "paidUntil" | "due"> {
  readonly payments: readonly Pick<InvoiceDetails["payments"][number], "value">[];
}

/** Measured against the first look: money that was there before is part of what is due. */
export function progressOf(first: Seen | undefined, now: Seen | undefined, isExpired: boolean): Progress {
  if (now && now.status !== "open") {
    return now.status === "paid" ? { state: "paid", paidUntil: now.paidUntil } : { state: "cancelled" };
  }
  if (first && now) {
    const arrived = now.payments.slice(first.payments.length).reduce((sum, { value }) => sum + value, 0);
    if (arrived > 0 || now.due !== first.due) {
      return { state: "changed", arrived, due: now.due };
    }
  }
  return { state: isExpired ? "expired" : "waiting" };
}
