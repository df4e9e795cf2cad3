import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Changes of messages that did not arrive, changes that waited too long, and the files that rows name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // { kind, reason } of the last edit, deletion or reaction of ours that WhatsApp does not have
  await sql`alter table messages add column change_failure jsonb`.execute(db);

  // A change whose message never comes is let go of by age, over all companies.
  await sql`create index message_changes_waiting_age on message_changes_waiting (at)`.execute(db);
  await sql`create policy machinery on message_changes_waiting for all to prosa_system using (true)`.execute(db);
  await sql`grant select, delete on message_changes_waiting to prosa_system`.execute(db);

  // Whether a file is named by a row is asked by its key.
  await sql`create index media_storage_key on media (storage_key) where storage_key is not null`.execute(db);
}
