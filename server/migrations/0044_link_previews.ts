import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * The preview of the first address of a message, and the loudness of a voice message over its length. `address` is as written in
 * the message. A row without a title says that the address has no preview: it is not asked for again. `url_hash` finds what
 * another message of the company has learnt of the same address.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table media add column waveform bytea`.execute(db);
  await sql`
    create table link_previews (
      message_id bigint primary key,
      company_id int not null references companies on delete cascade,
      address text not null,
      url text not null,
      url_hash bytea not null,
      title text,
      description text not null default '',
      picture bytea,
      fetched_at timestamptz not null,
      foreign key (company_id, message_id) references messages (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index link_previews_of_url on link_previews (company_id, url_hash, fetched_at)`.execute(db);
  await protect(db, "link_previews");
}
