import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { InvoiceChargesTable } from "../invoices.tables.ts";

export type ChargeRow = Pick<
  Selectable<InvoiceChargesTable>,
  | "id"
  | "company_id"
  | "invoice_id"
  | "provider"
  | "txid"
  | "value"
  | "reference"
  | "br_code"
  | "expires_at"
  | "created_at"
>;

const columns = [
  "id",
  "company_id",
  "invoice_id",
  "provider",
  "txid",
  "value",
  "reference",
  "br_code",
  "expires_at",
  "created_at",
] as const;

/** The one charge of an invoice that can be paid now. */
export async function findLiveCharge(tx: SystemTx, invoiceId: number): Promise<ChargeRow | undefined> {
  return tx.db
    .selectFrom("invoice_charges")
    .select(columns)
    .where("invoice_id", "=", invoiceId)
    .where("is_live", "=", true)
    .executeTakeFirst();
}

/** Lets another charge take its place. It is still asked about: somebody may be paying it. */
export async function endCharge(tx: SystemTx, id: number): Promise<void> {
  await tx.db.updateTable("invoice_charges").set({ is_live: false }).where("id", "=", id).execute();
}

/** Makes the live charge of an invoice; the one that somebody else has made meanwhile stays. */
export async function insertCharge(
  tx: SystemTx,
  charge: Pick<ChargeRow, "company_id" | "invoice_id" | "provider" | "txid" | "value"> & {
    readonly created_at: Date;
    readonly check_at: Date;
  },
): Promise<void> {
  await tx.db
    .insertInto("invoice_charges")
    .values({ ...charge, reference: null, br_code: null, expires_at: null, claimed_until: null })
    .onConflict((conflict) => conflict.column("invoice_id").where("is_live", "=", true).doNothing())
    .execute();
}

/** Takes the right to ask the provider for a charge; false while somebody else has it. */
export async function claimCharge(tx: SystemTx, id: number, now: Date, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable("invoice_charges")
    .set({ claimed_until: until })
    .where("id", "=", id)
    .where((or) => or.or([or("claimed_until", "is", null), or("claimed_until", "<=", now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function saveCharge(
  tx: SystemTx,
  id: number,
  fields: Partial<Pick<ChargeRow, "reference" | "br_code" | "expires_at">>,
): Promise<void> {
  await tx.db
    .updateTable("invoice_charges")
    .set({ ...fields, claimed_until: null })
    .where("id", "=", id)
    .execute();
}

export async function findCharge(tx: SystemTx, id: number): Promise<ChargeRow | undefined> {
  return tx.db.selectFrom("invoice_charges").select(columns).where("id", "=", id).executeTakeFirst();
}

/** Of the ids that a webhook names: our txids, or the provider's own. */
export async function findChargesNamed(
  tx: SystemTx,
  provider: ChargeRow["provider"],
  { txids, references }: { readonly txids: readonly string[]; readonly references: readonly string[] },
): Promise<{ id: number; company_id: number }[]> {
  return tx.db
    .selectFrom("invoice_charges")
    .select(["id", "company_id"])
    .where("provider", "=", provider)
    .where(sql<boolean>`(txid = any(${[...txids]}::text[]) or reference = any(${[...references]}::text[]))`)
    .execute();
}

/** How many charges one run asks about. */
const BATCH = 100;

/**
 * Charges that are due for a look, each moved to its next one: at first every minute, then less and less, and no more after 95
 * days: whoever is told by no webhook must still learn of a payment, and of its return, for which there are 90 days.
 */
export async function takeDueCharges(tx: SystemTx, now: Date): Promise<{ id: number; company_id: number }[]> {
  const { rows } = await sql<{ id: number; company_id: number }>`
    update invoice_charges set check_at = case
        when ${now}::timestamptz - created_at < interval '15 min' then ${now}::timestamptz + interval '1 min'
        when ${now}::timestamptz - created_at < interval '1 day' then ${now}::timestamptz + interval '10 min'
        when ${now}::timestamptz - created_at < interval '32 days' then ${now}::timestamptz + interval '6 hours'
        when ${now}::timestamptz - created_at < interval '95 days' then ${now}::timestamptz + interval '2 days'
      end
    where id = any (array(select id from invoice_charges where check_at <= ${now}::timestamptz
      order by check_at limit ${BATCH} for update skip locked))
    returning id, company_id`.execute(tx.db);
  return rows;
}
