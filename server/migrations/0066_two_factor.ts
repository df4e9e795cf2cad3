import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * The second factor of a person (V-03). Written by the machinery: at the second step of a sign-in nobody is signed in yet, and
 * no request may turn another person's off by a mistake in its rights.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table second_factors (
      user_id int primary key,
      company_id int not null references companies on delete cascade,
      -- sealed
      secret text not null,
      created_at timestamptz not null,
      -- null until a first code has shown that the app has the secret
      confirmed_at timestamptz,
      -- the time step of the last code that was taken: no code works twice
      last_step bigint not null default 0,
      foreign key (company_id, user_id) references users (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index second_factors_of_company on second_factors (company_id, user_id)`.execute(db);
  await protect(db, "second_factors", { system: "all", app: "read" });

  await sql`
    create table recovery_codes (
      user_id int not null,
      company_id int not null references companies on delete cascade,
      code_hash text not null,
      primary key (user_id, code_hash),
      foreign key (company_id, user_id) references users (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index recovery_codes_of_company on recovery_codes (company_id, user_id)`.execute(db);
  await protect(db, "recovery_codes", { system: "all", app: "read" });
}
