import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * The one code of a user who forgot their password: a keyed hash, which also covers e-mail and password, so that a change of
 * either makes it worthless. Written by the machinery alone, because nobody is signed in; a request has no use for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table password_resets (
      user_id int primary key,
      company_id int not null references companies on delete cascade,
      code_hash text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      foreign key (company_id, user_id) references users (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index password_resets_of_company on password_resets (company_id, user_id)`.execute(db);
  await protect(db, "password_resets", { system: "all", app: "read" });
}
