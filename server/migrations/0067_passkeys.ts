import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Passkeys (V-03): public keys only, so nothing here signs in. Written by the machinery, as the other second factors are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      user_id int not null,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null default '{}',
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      foreign key (company_id, user_id) references users (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index passkeys_of_user on passkeys (user_id, id)`.execute(db);
  await sql`create index passkeys_of_company on passkeys (company_id, user_id)`.execute(db);
  await protect(db, "passkeys", { system: "all", app: "read" });
}
