import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Contact lists, file lists, campaigns, and what became of each contact of a campaign (K-01 to K-08, O-07). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createContactLists(db);
  await createFileLists(db);
  await createCampaigns(db);
}

async function createContactLists(db: Kysely<unknown>) {
  await sql`
    create table contact_lists (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (company_id, id)
    )`.execute(db);
  await sql`create unique index contact_lists_name on contact_lists (company_id, lower(name))`.execute(db);
  await protect(db, "contact_lists");

  await sql`
    create table contact_list_items (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      contact_list_id int not null,
      name text not null,
      -- digits with country code, as WhatsApp spells it once it was checked
      number text not null,
      -- the number that two spellings of one Brazilian mobile share
      match_number text not null,
      email text not null default '',
      lid text,
      -- null: not checked yet
      is_whatsapp_valid boolean,
      checked_at timestamptz,
      created_at timestamptz not null default now(),
      foreign key (company_id, contact_list_id) references contact_lists (company_id, id) on delete cascade,
      unique (company_id, id)
    )`.execute(db);
  await sql`
    create unique index contact_list_items_match on contact_list_items (contact_list_id, match_number)`.execute(db);
  await sql`
    create index contact_list_items_in_order on contact_list_items (company_id, contact_list_id, lower(name), id)`.execute(
    db,
  );
  await sql`
    create unique index contact_list_items_lid on contact_list_items (contact_list_id, lid) where lid is not null`.execute(
    db,
  );
  await sql`
    create index contact_list_items_unchecked on contact_list_items (contact_list_id, id)
    where is_whatsapp_valid is null`.execute(db);
  await protect(db, "contact_list_items");
}

async function createFileLists(db: Kysely<unknown>) {
  await sql`
    create table file_lists (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      user_id int,
      name text not null,
      message text not null,
      created_at timestamptz not null default now(),
      foreign key (company_id, user_id) references users (company_id, id) on delete set null (user_id),
      unique (company_id, id)
    )`.execute(db);
  await sql`create index file_lists_by_name on file_lists (company_id, lower(name), id)`.execute(db);
  await protect(db, "file_lists");

  await sql`
    create table file_list_options (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      file_list_id int not null,
      position int not null default 0,
      -- what is sent with the file, as its caption
      name text not null,
      media_path text,
      media_name text,
      media_type text,
      media_size int,
      foreign key (company_id, file_list_id) references file_lists (company_id, id) on delete cascade,
      unique (company_id, id)
    )`.execute(db);
  await sql`create index file_list_options_of on file_list_options (company_id, file_list_id, position, id)`.execute(
    db,
  );
  await protect(db, "file_list_options");
  // no list existed, so no option refers to one
  await sql`
    alter table queue_options add foreign key (company_id, file_list_id) references file_lists (company_id, id)
      on delete set null (file_list_id)`.execute(db);
  await sql`
    create index queue_options_of_files on queue_options (file_list_id) where file_list_id is not null`.execute(db);
}

async function createCampaigns(db: Kysely<unknown>) {
  await sql`
    create table campaigns (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      status text not null default 'INATIVA'
        check (status in ('INATIVA', 'PROGRAMADA', 'EM_ANDAMENTO', 'CANCELADA', 'FINALIZADA')),
      confirmation boolean not null default false,
      -- the five variants; an empty one is not used
      messages text[] not null default '{}',
      confirmation_messages text[] not null default '{}',
      scheduled_at timestamptz,
      started_at timestamptz,
      completed_at timestamptz,
      contact_list_id int,
      tag_id int,
      file_list_id int,
      media_path text,
      media_name text,
      media_type text,
      media_size int,
      user_id int,
      created_at timestamptz not null default now(),
      foreign key (company_id, contact_list_id) references contact_lists (company_id, id)
        on delete set null (contact_list_id),
      foreign key (company_id, tag_id) references tags (company_id, id) on delete set null (tag_id),
      foreign key (company_id, file_list_id) references file_lists (company_id, id) on delete set null (file_list_id),
      foreign key (company_id, user_id) references users (company_id, id) on delete set null (user_id),
      unique (company_id, id)
    )`.execute(db);
  await sql`create index campaigns_newest on campaigns (company_id, id desc)`.execute(db);
  await sql`create index campaigns_of_list on campaigns (contact_list_id) where contact_list_id is not null`.execute(
    db,
  );
  await sql`create index campaigns_of_tag on campaigns (tag_id) where tag_id is not null`.execute(db);
  await sql`create index campaigns_of_files on campaigns (file_list_id) where file_list_id is not null`.execute(db);
  await protect(db, "campaigns");

  await sql`
    create table campaign_lines (
      company_id int not null references companies on delete cascade,
      campaign_id int not null,
      connection_id int not null,
      position int not null default 0,
      -- when the next contact is due by this line; null before the start
      next_at timestamptz,
      -- contacts that it was given, for the longer pauses and the turn of the variants
      handed int not null default 0,
      pause_reason text,
      paused_until timestamptz,
      primary key (campaign_id, connection_id),
      foreign key (company_id, campaign_id) references campaigns (company_id, id) on delete cascade,
      foreign key (company_id, connection_id) references connections (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index campaign_lines_of_connection on campaign_lines (company_id, connection_id)`.execute(db);
  await protect(db, "campaign_lines");

  await sql`
    create table campaign_recipients (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      campaign_id int not null,
      position int not null,
      contact_list_item_id int,
      -- known from the moment that it is written to, or from the start where its contacts come from a tag
      contact_id int,
      connection_id int,
      name text not null,
      number text not null,
      match_number text not null,
      email text not null default '',
      state text not null,
      reason text,
      variant smallint,
      confirmation_message_id bigint,
      message_id bigint,
      ticket_id int,
      confirmation_requested_at timestamptz,
      confirmed_at timestamptz,
      queued_at timestamptz,
      sent_at timestamptz,
      delivered_at timestamptz,
      read_at timestamptz,
      answered_at timestamptz,
      foreign key (company_id, campaign_id) references campaigns (company_id, id) on delete cascade,
      foreign key (company_id, contact_id) references contacts (company_id, id) on delete set null (contact_id),
      foreign key (company_id, connection_id) references connections (company_id, id) on delete set null (connection_id),
      foreign key (company_id, ticket_id) references tickets (company_id, id) on delete set null (ticket_id),
      foreign key (company_id, message_id) references messages (company_id, id) on delete set null (message_id),
      foreign key (company_id, confirmation_message_id) references messages (company_id, id)
        on delete set null (confirmation_message_id)
    )`.execute(db);
  // each person at most once, however the number is spelled, and after a merge of contacts too
  await sql`
    create unique index campaign_recipients_once on campaign_recipients (campaign_id, match_number)`.execute(db);
  await sql`
    create unique index campaign_recipients_person on campaign_recipients (campaign_id, contact_id)
    where contact_id is not null`.execute(db);
  await sql`
    create index campaign_recipients_next on campaign_recipients (campaign_id, position)
    where state = 'waiting'`.execute(db);
  await sql`
    create index campaign_recipients_agreed on campaign_recipients (campaign_id, confirmed_at)
    where state = 'agreed'`.execute(db);
  await sql`
    create index campaign_recipients_by_state on campaign_recipients (company_id, campaign_id, state, position)`.execute(
    db,
  );
  await sql`
    create index campaign_recipients_in_order on campaign_recipients (company_id, campaign_id, position)`.execute(db);
  await sql`
    create index campaign_recipients_of_contact on campaign_recipients (company_id, contact_id)
    where contact_id is not null`.execute(db);
  await sql`
    create index campaign_recipients_of_ticket on campaign_recipients (company_id, ticket_id)
    where ticket_id is not null`.execute(db);
  await sql`
    create unique index campaign_recipients_confirmation on campaign_recipients (confirmation_message_id)
    where confirmation_message_id is not null`.execute(db);
  await sql`
    create unique index campaign_recipients_message on campaign_recipients (message_id)
    where message_id is not null`.execute(db);
  await protect(db, "campaign_recipients");

  await sql`
    create table campaign_settings (
      company_id int not null references companies on delete cascade,
      key text not null,
      value jsonb not null,
      primary key (company_id, key)
    )`.execute(db);
  await protect(db, "campaign_settings");
}
