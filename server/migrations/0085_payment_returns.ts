import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Payments that the provider gave back (decision 0226): a refund, or a chargeback of the payer's bank. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_returns (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      payment_id int not null,
      kind text not null check (kind in ('refund', 'chargeback')),
      -- what was returned since the last look; negative: a chargeback that was lost by the payer's bank
      value numeric(12, 2) not null check (value <> 0),
      created_at timestamptz not null,
      foreign key (company_id, payment_id) references invoice_payments (company_id, id) on delete cascade,
      unique (company_id, id)
    )`.execute(db);
  await sql`create index payment_returns_of_payment on payment_returns (company_id, payment_id)`.execute(db);
  await sql`create index payment_returns_by_time on payment_returns (created_at)`.execute(db);
  await protect(db, "payment_returns", { app: "read", system: "all" });

  await sql`alter table credit_entries add column return_id int`.execute(db);
  await sql`alter table credit_entries drop constraint credit_entries_check`.execute(db);
  await sql`
    alter table credit_entries
      add constraint credit_entries_of_one check (num_nonnulls(payment_id, invoice_id, return_id) = 1
        and (payment_id is null or amount > 0) and (invoice_id is null or amount < 0)),
      add constraint credit_entries_return_fkey foreign key (company_id, return_id)
        references payment_returns (company_id, id) on delete cascade,
      add constraint credit_entries_return_key unique (company_id, return_id)`.execute(db);
}
