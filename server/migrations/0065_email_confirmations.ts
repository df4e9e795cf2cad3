import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Who signed up and has not confirmed their e-mail has a row; everybody else, and all that there were before, none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table email_confirmations (
      user_id int primary key,
      company_id int not null references companies on delete cascade,
      token_hash text not null unique,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      foreign key (company_id, user_id) references users (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index email_confirmations_of_company on email_confirmations (company_id, user_id)`.execute(db);
  await protect(db, "email_confirmations", { system: "all", app: "read" });
}
