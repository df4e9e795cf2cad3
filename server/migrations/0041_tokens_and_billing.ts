import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * API tokens of companies and queues, as hashes like a connection's, and whom an invoice is for. A company's admin saves
 * their own, so requests may write these columns. `companies.token` was never written; a later release drops it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table companies
      add column token_hash text unique,
      add column billing_name text not null default '',
      add column address_zip_code text not null default '',
      add column address_street text not null default '',
      add column address_district text not null default '',
      add column address_city text not null default '',
      add column address_state text not null default ''`.execute(db);
  await sql`
    grant update (token_hash, billing_name, address_zip_code, address_street, address_district, address_city, address_state)
      on companies to prosa_app`.execute(db);
  await sql`alter table queues add column token_hash text unique`.execute(db);
}
