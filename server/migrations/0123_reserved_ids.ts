import { sql } from "kysely";
import type { Kysely } from "kysely";
import { APP_ROLE } from "#server/platform/db/migration-helpers.ts";

/** What the first message of somebody new refers to has its ids before it is stored (decision 0303). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`grant usage on sequence contacts_id_seq, tickets_id_seq to ${sql.id(APP_ROLE)}`.execute(db);
  // For a statement whose answer nobody awaits: its transaction is tried again like one of a deadlock.
  await sql`
    create function try_again_unless(is_so boolean) returns void language plpgsql
    as $$
    begin
      if is_so is not true then
        raise exception using errcode = 'serialization_failure', message = 'another transaction was first';
      end if;
    end $$`.execute(db);
  await sql`grant execute on function try_again_unless(boolean) to ${sql.id(APP_ROLE)}`.execute(db);
}
