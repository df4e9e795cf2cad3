import type { InvoiceDetails, PixProviderName } from "@prosa/contract";
import type { Generated } from "kysely";

export interface BillingSettingsTable {
  only_one: Generated<boolean>;
  grace_days: Generated<number>;
  provider: Generated<PixProviderName>;
  pix_key: Generated<string>;
  pix_name: Generated<string>;
  pix_city: Generated<string>;
  updated_at: Generated<Date>;
}

export interface PaymentAccountsTable {
  provider: Exclude<PixProviderName, "static">;
  environment: Generated<"production" | "sandbox">;
  pix_key: Generated<string>;
  /** The keys as encrypted JSON; empty until they are set. */
  sealed: Generated<string>;
}

/** Who is paid, and who pays. */
export type InvoiceParties = Pick<InvoiceDetails, "payee" | "payer">;

export interface InvoicesTable {
  id: Generated<number>;
  company_id: number;
  due_date: string;
  detail: string;
  /** Reais. */
  value: number;
  months: number;
  status: Generated<"open" | "paid" | "cancelled">;
  issued_at: Date;
  warned_days: number | null;
  paid_at: Date | null;
  paid_by: "pix" | "manual" | "credit" | null;
  paid_until: string | null;
  /** For the receipt, as they were when it was paid; null on an open one. */
  parties: InvoiceParties | null;
}

export interface InvoiceChargesTable {
  id: Generated<number>;
  company_id: number;
  invoice_id: number;
  provider: Exclude<PixProviderName, "static">;
  txid: string;
  value: number;
  reference: string | null;
  br_code: string | null;
  is_live: Generated<boolean>;
  claimed_until: Date | null;
  created_at: Date;
  expires_at: Date | null;
  check_at: Date | null;
}

export interface InvoicePaymentsTable {
  id: Generated<number>;
  company_id: number;
  invoice_id: number;
  method: "pix" | "manual";
  provider: string;
  reference: string;
  value: number;
  paid_at: Date;
  note: Generated<string>;
  user_id: number | null;
  created_at: Date;
}

export interface CreditEntriesTable {
  id: Generated<number>;
  company_id: number;
  amount: number;
  payment_id: number | null;
  invoice_id: number | null;
  return_id: Generated<number | null>;
  created_at: Date;
}

/** What a provider gave back of a payment, or a mark that the operator took back. */
export interface PaymentReturnsTable {
  id: Generated<number>;
  company_id: number;
  payment_id: number;
  kind: "refund" | "chargeback";
  /** Reais; negative where it came back. */
  value: number;
  /** When it was learned of; of a mark, the mark's own moment: no money came, so the two leave no month's receipts changed. */
  created_at: Date;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    billing_settings: BillingSettingsTable;
    payment_accounts: PaymentAccountsTable;
    invoices: InvoicesTable;
    invoice_charges: InvoiceChargesTable;
    invoice_payments: InvoicePaymentsTable;
    credit_entries: CreditEntriesTable;
    payment_returns: PaymentReturnsTable;
  }
}
