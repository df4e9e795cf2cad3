import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently } from "#server/platform/db/migration-helpers.ts";

const name = "messages_once_in_chat";

/**
 * WhatsApp's ids are unique in a chat, not on a line: the chat goes into the key, as the contact, which is one for all
 * addresses of a chat and stays when the ticket goes to another line (decision 0118).
 *
 * What is unique without the chat is unique with it, so no row stands against it. The process of an earlier release that
 * still runs beside it cannot commit what comes in, keeps it unacknowledged, and WhatsApp delivers it again to the next one.
 */

/** Outside the transaction: messages are read and written while their index is built. */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select from pg_constraint where conname = ${name}`.execute(db);
  if (rows.length === 0) {
    const columns = sql`on messages (connection_id, wa_id, contact_id, from_me)`;
    await buildIndexConcurrently(db, name, sql`unique index`, columns);
  }
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table messages
      add constraint messages_once_in_chat unique using index messages_once_in_chat,
      drop constraint messages_connection_id_wa_id_from_me_key`.execute(db);
}
