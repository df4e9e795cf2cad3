import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** API keys of a company (V-06). Of the key itself only the hash is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id uuid primary key,
      company_id int not null references companies on delete cascade,
      user_id int not null,
      name text not null,
      beginning text not null,
      key_hash text not null unique,
      profile text not null check (profile in ('user', 'supervisor', 'admin')),
      scopes text[] not null,
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz,
      created_at timestamptz not null,
      foreign key (company_id, user_id) references users (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index api_keys_by_age on api_keys (company_id, created_at desc, id)`.execute(db);
  await sql`create index api_keys_of_user on api_keys (user_id)`.execute(db);
  await protect(db, "api_keys", { system: "all" });
}
