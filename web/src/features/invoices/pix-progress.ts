import type { InvoiceDetails } from "@prosa/contract/invoices";

/** What has become of an invoice since its Pix is shown. */
export type Progress =
  | { readonly state: "waiting" | "cancelled" }
  | { readonly state: "paid"; readonly paidUntil: string | null }
  /** `arrived`: paid meanwhile, in reais, which did not reach; `due`: what is to be paid now. */
  | { readonly state: "changed"; readonly arrived: number; readonly due: number };

interface Seen extends Pick<InvoiceDetails, "status" | "paidUntil" | "due"> {
  readonly payments: readonly Pick<InvoiceDetails["payments"][number], "value">[];
}

/** Measured against the first look: money that was there before is part of what is due. */
export function progressOf(first: Seen | undefined, now: Seen | undefined): Progress {
  if (!first || !now) {
    return { state: "waiting" };
  }
  if (now.status !== "open") {
    return now.status === "paid" ? { state: "paid", paidUntil: now.paidUntil } : { state: "cancelled" };
  }
  const arrived = now.payments.slice(first.payments.length).reduce((sum, { value }) => sum + value, 0);
  return arrived > 0 || now.due !== first.due ? { state: "changed", arrived, due: now.due } : { state: "waiting" };
}
