import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * A company's quick messages and a running import of contacts outlive the user who began them (decision 0298). Rows are looked at
 * while writes go on, so outside the transaction.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await sql`alter table contact_imports alter column user_id drop not null`.execute(db);
  for (const table of ["quick_messages", "contact_imports"]) {
    const [name, key] = [sql.table(table), sql.id(`${table}_user_id_fkey`)];
    await sql`
      alter table ${name} drop constraint if exists ${key},
        add constraint ${key} foreign key (company_id, user_id) references users (company_id, id)
        on delete set null (user_id) not valid`.execute(db);
    await sql`alter table ${name} validate constraint ${key}`.execute(db);
  }
}

/** Nothing but keys, which `prepare` changes. */
export async function up(): Promise<void> {}
