import { sql } from "kysely";
import type { Kysely } from "kysely";
import { SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * What companies have paid and were given back that are erased since: a sum and a moment, nothing of whom. Without it the operator's
 * receipts of a month would change with each company that is deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table erased_receipts (
      id int generated always as identity primary key,
      -- negative: given back
      value numeric(12, 2) not null,
      received_at timestamptz not null
    )`.execute(db);
  await sql`create index erased_receipts_by_time on erased_receipts (received_at)`.execute(db);
  await sql`grant select, insert on erased_receipts to ${sql.id(SYSTEM_ROLE)}`.execute(db);

  // The rows go by the cascade of their company, which belongs to another feature.
  await sql`
    create function keep_erased_receipts() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'invoice_payments' then
        insert into erased_receipts (value, received_at) select value, paid_at from gone;
      else
        insert into erased_receipts (value, received_at) select -value, created_at from gone;
      end if;
      return null;
    end $$`.execute(db);
  for (const table of ["invoice_payments", "payment_returns"]) {
    await sql`
      create trigger ${sql.id(`${table}_kept`)} after delete on ${sql.table(table)} referencing old table as gone
      for each statement execute function keep_erased_receipts()`.execute(db);
  }
}
