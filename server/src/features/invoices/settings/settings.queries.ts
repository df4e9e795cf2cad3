import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { BillingSettingsTable, PaymentAccountsTable } from "../invoices.tables.ts";

export type BillingSettingsRow = Omit<Selectable<BillingSettingsTable>, "only_one" | "updated_at">;
export type PaymentAccountRow = Selectable<PaymentAccountsTable>;
export type ProviderWithAccount = PaymentAccountRow["provider"];

export async function findBillingSettings({ db }: Pick<Ctx, "db">): Promise<BillingSettingsRow> {
  return db
    .selectFrom("billing_settings")
    .select(["grace_days", "provider", "pix_key", "pix_name", "pix_city"])
    .executeTakeFirstOrThrow();
}

/** Locks the settings and their accounts until the transaction ends. */
export async function lockBillingSettings(tx: SystemTx): Promise<BillingSettingsRow> {
  return tx.db
    .selectFrom("billing_settings")
    .select(["grace_days", "provider", "pix_key", "pix_name", "pix_city"])
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function saveBillingSettings(tx: SystemTx, fields: BillingSettingsRow, now: Date): Promise<void> {
  await tx.db
    .updateTable("billing_settings")
    .set({ ...fields, updated_at: now })
    .execute();
}

export async function findAccounts(tx: SystemTx): Promise<PaymentAccountRow[]> {
  return tx.db.selectFrom("payment_accounts").select(["provider", "environment", "pix_key", "sealed"]).execute();
}

export async function savePaymentAccount(tx: SystemTx, account: PaymentAccountRow): Promise<void> {
  await tx.db
    .insertInto("payment_accounts")
    .values(account)
    .onConflict((conflict) =>
      conflict.column("provider").doUpdateSet({
        environment: account.environment,
        pix_key: account.pix_key,
        sealed: account.sealed,
      }),
    )
    .execute();
}

/** Lets a provider's codes end: they would be paid to the account before. They are still asked about, for whoever pays one. */
export async function endLiveCharges(tx: SystemTx, provider: ProviderWithAccount): Promise<void> {
  await tx.db
    .updateTable("invoice_charges")
    .set({ is_live: false })
    .where("provider", "=", provider)
    .where("is_live", "=", true)
    .execute();
}

/** The encrypted keys; empty, and not encrypted, until they are set. */
export const sealedAccounts: SealedColumn = {
  table: "payment_accounts",
  column: "sealed",
  key: ["provider"],
  contextOf: (row) => sealContext(String(row["provider"])),
  isText: true,
  where: sql<boolean>`(sealed <> '')`,
  isShared: true,
};

/** Encryption context of a provider's keys. */
export function sealContext(provider: string): string {
  return `payment-account:${provider}`;
}
