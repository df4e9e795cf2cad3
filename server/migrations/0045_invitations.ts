import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * The one link of a user who was invited. The row stays after it was used, so that a link that is opened again can say so.
 * Until then the user's password is the hash of a secret that nobody has: the release before refuses their sign-in, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      user_id int primary key,
      company_id int not null references companies on delete cascade,
      invited_by int,
      token_hash text not null unique,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      accepted_at timestamptz,
      foreign key (company_id, user_id) references users (company_id, id) on delete cascade,
      foreign key (company_id, invited_by) references users (company_id, id) on delete set null (invited_by)
    )`.execute(db);
  await sql`create index invitations_inviter on invitations (company_id, invited_by)`.execute(db);
  await protect(db, "invitations", { system: "all" });
}
