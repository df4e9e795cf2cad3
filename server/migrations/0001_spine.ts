import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect, share } from "../src/platform/db/migration-helpers.ts";

/** Companies and their people, lines, queues, contacts, and the conversations with them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db);
  await createDirectory(db);
  await createLines(db);
  await createContacts(db);
  await createTickets(db);
  await createMessages(db);
}

async function createAccounts(db: Kysely<unknown>) {
  await sql`
    create table plans (
      id int generated always as identity primary key,
      name text not null unique,
      users int not null default 0,
      connections int not null default 0,
      queues int not null default 0,
      value numeric(12, 2) not null default 0,
      flags jsonb not null default '{}',
      is_public boolean not null default true,
      created_at timestamptz not null default now()
    )`.execute(db);
  await share(db, "plans", { system: "all" });

  await sql`
    create table companies (
      id int generated always as identity primary key,
      name text not null unique,
      email text,
      phone text not null default '',
      plan_id int references plans,
      is_active boolean not null default true,
      due_date date,
      trial_expiration timestamptz,
      recurrence text not null default 'MENSAL',
      time_zone text not null default 'America/Sao_Paulo',
      language text not null default 'pt',
      schedules jsonb,
      token text,
      created_at timestamptz not null default now()
    )`.execute(db);
  await protect(db, "companies", { column: "id", system: "all" });

  await sql`
    create table settings (
      company_id int not null references companies on delete cascade,
      key text not null,
      value text not null,
      primary key (company_id, key)
    )`.execute(db);
  await protect(db, "settings", { system: "all" });

  await sql`
    create table users (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      email text not null unique,
      password_hash text not null,
      profile text not null default 'user' check (profile in ('user', 'supervisor', 'admin')),
      is_super boolean not null default false,
      all_ticket boolean not null default false,
      connection_id int,
      preferences jsonb not null default '{}',
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index users_company on users (company_id, lower(name))`.execute(db);
  await protect(db, "users", { system: "all" });

  // One family per sign-in; the previous hash tells a replayed refresh token from an unknown one.
  await sql`
    create table sessions (
      id uuid primary key default gen_random_uuid(),
      company_id int not null references companies on delete cascade,
      user_id int not null references users on delete cascade,
      refresh_hash text not null unique,
      previous_hash text,
      rotated_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ended_at timestamptz,
      ended_reason text,
      address text,
      user_agent text,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index sessions_previous on sessions (previous_hash) where previous_hash is not null`.execute(db);
  await sql`create index sessions_live on sessions (user_id) where ended_at is null`.execute(db);
  await protect(db, "sessions", { system: "all" });

  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      user_id int,
      action text not null,
      subject text not null,
      detail jsonb not null default '{}',
      at timestamptz not null default now()
    )`.execute(db);
  await sql`create index audit_log_recent on audit_log (company_id, id desc)`.execute(db);
  await protect(db, "audit_log", { system: "all" });
}

async function createDirectory(db: Kysely<unknown>) {
  await sql`
    create table queues (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      color text not null,
      order_queue int not null default 0,
      greeting_message text not null default '',
      complation_message text not null default '',
      out_of_hours_message text not null default '',
      rating_message text not null default '',
      integration_id int,
      prompt_id int,
      schedules jsonb not null,
      created_at timestamptz not null default now(),
      unique (company_id, color),
      unique (company_id, name)
    )`.execute(db);
  await protect(db, "queues");

  await sql`
    create table queue_options (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      queue_id int not null references queues on delete cascade,
      parent_id int references queue_options on delete cascade,
      title text not null,
      message text not null default '',
      option text not null,
      position int not null default 0,
      media_path text,
      media_name text,
      file_list_id int
    )`.execute(db);
  await sql`create index queue_options_tree on queue_options (company_id, queue_id, parent_id, position)`.execute(db);
  await sql`create index queue_options_parent on queue_options (parent_id)`.execute(db);
  await protect(db, "queue_options");

  await sql`
    create table user_queues (
      company_id int not null references companies on delete cascade,
      user_id int not null references users on delete cascade,
      queue_id int not null references queues on delete cascade,
      primary key (user_id, queue_id)
    )`.execute(db);
  await sql`create index user_queues_queue on user_queues (queue_id)`.execute(db);
  await protect(db, "user_queues", { system: "read" });

  await sql`
    create table tags (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      color text not null,
      kanban int not null default 0,
      user_id int references users on delete set null,
      created_at timestamptz not null default now(),
      unique (company_id, name)
    )`.execute(db);
  await protect(db, "tags");

  await sql`
    create table products (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      type text not null default '',
      created_at timestamptz not null default now(),
      unique (company_id, name)
    )`.execute(db);
  await protect(db, "products");

  await sql`
    create table quick_messages (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      user_id int references users on delete cascade,
      shortcode text not null,
      message text not null default '',
      geral boolean not null default false,
      status boolean not null default true,
      media_path text,
      media_name text,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index quick_messages_list on quick_messages (company_id, lower(shortcode))`.execute(db);
  await protect(db, "quick_messages");
}

async function createLines(db: Kysely<unknown>) {
  await sql`
    create table connections (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      provider text not null default 'beta' check (provider in ('beta', 'simulator')),
      status text not null default 'DISCONNECTED',
      reason text,
      qrcode text not null default '',
      pairing_code text not null default '',
      number text,
      lid text,
      is_default boolean not null default false,
      retries int not null default 0,
      -- what the admin wants; the owner process makes it so. session_round grows when credentials are to be forgotten
      wanted text not null default 'up' check (wanted in ('up', 'down')),
      session_round int not null default 0,
      pairing_number text,
      greeting_message text not null default '',
      complation_message text not null default '',
      out_of_hours_message text not null default '',
      rating_message text not null default '',
      token_hash text unique,
      prompt_id int,
      integration_id int,
      transfer_queue_id int references queues on delete set null,
      time_to_transfer int not null default 0,
      expires_ticket int not null default 0,
      expires_inactive_message text not null default '',
      max_use_bot_queues int not null default 3,
      time_use_bot_queues int not null default 0,
      language text not null default 'pt',
      is_lively boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (company_id, name)
    )`.execute(db);
  await sql`create unique index connections_one_default on connections (company_id) where is_default`.execute(db);
  await protect(db, "connections", { system: "all" });
  await sql`alter table users add foreign key (connection_id) references connections on delete set null`.execute(db);

  await sql`
    create table connection_queues (
      company_id int not null references companies on delete cascade,
      connection_id int not null references connections on delete cascade,
      queue_id int not null references queues on delete cascade,
      position int not null default 0,
      primary key (connection_id, queue_id)
    )`.execute(db);
  await sql`create index connection_queues_queue on connection_queues (queue_id)`.execute(db);
  await protect(db, "connection_queues");

  await sql`
    create table line_leases (
      connection_id int primary key references connections on delete cascade,
      company_id int not null references companies on delete cascade,
      owner text not null,
      leased_until timestamptz not null
    )`.execute(db);
  await protect(db, "line_leases", { system: "all", app: "read" });

  await sql`
    create table line_log (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      connection_id int not null references connections on delete cascade,
      event text not null,
      detail text,
      at timestamptz not null default now()
    )`.execute(db);
  await sql`create index line_log_recent on line_log (connection_id, id desc)`.execute(db);
  await protect(db, "line_log", { system: "all" });

  // Signal keys and credentials, sealed. One journal per line writes them with the messages that moved them.
  await sql`
    create table wa_keys (
      company_id int not null references companies on delete cascade,
      connection_id int not null references connections on delete cascade,
      kind text not null,
      id text not null,
      value bytea not null,
      primary key (connection_id, kind, id)
    ) with (fillfactor = 80)`.execute(db);
  await protect(db, "wa_keys");
  await sql`
    create table wa_creds (
      connection_id int primary key references connections on delete cascade,
      company_id int not null references companies on delete cascade,
      value bytea not null,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await protect(db, "wa_creds");

  // What was sent, for a contact that asks again; found by id alone (whatsapp.md 4.7).
  await sql`
    create table sent_payloads (
      company_id int not null references companies on delete cascade,
      connection_id int not null references connections on delete cascade,
      wa_id text not null,
      payload bytea not null,
      created_at timestamptz not null default now(),
      primary key (connection_id, wa_id)
    )`.execute(db);
  await sql`create index sent_payloads_age on sent_payloads (created_at)`.execute(db);
  await protect(db, "sent_payloads", { system: "all" });
}

async function createContacts(db: Kysely<unknown>) {
  await sql`
    create table contacts (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      -- digits with country code; null while WhatsApp has shown only a LID
      number text,
      email text not null default '',
      is_group boolean not null default false,
      is_blocked boolean not null default false,
      picture_path text,
      picture_checked_at timestamptz,
      extra_info jsonb not null default '[]',
      -- did a person write this name, or was it the contact's own push name?
      is_named boolean not null default false,
      opted_out_at timestamptz,
      version bigint not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (company_id, number)
    )`.execute(db);
  await sql`create index contacts_by_name on contacts (company_id, lower(name), id)`.execute(db);
  await protect(db, "contacts");

  // A person shows up under a phone number and under a LID; both lead to one contact (W-10).
  await sql`
    create table contact_identifiers (
      company_id int not null references companies on delete cascade,
      connection_id int not null references connections on delete cascade,
      kind text not null check (kind in ('phone', 'lid', 'group')),
      value text not null,
      contact_id int not null references contacts on delete cascade,
      primary key (connection_id, kind, value)
    )`.execute(db);
  await sql`create index contact_identifiers_contact on contact_identifiers (contact_id)`.execute(db);
  await protect(db, "contact_identifiers");
}

async function createTickets(db: Kysely<unknown>) {
  await sql`
    create table tickets (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      uuid uuid not null unique default gen_random_uuid(),
      connection_id int references connections on delete set null,
      contact_id int not null references contacts on delete cascade,
      status text not null default 'pending' check (status in ('pending', 'open', 'closed')),
      user_id int references users on delete set null,
      queue_id int references queues on delete set null,
      is_group boolean not null default false,
      chatbot boolean not null default false,
      bot_state jsonb,
      use_integration boolean not null default false,
      integration_id int,
      prompt_id int,
      last_message text not null default '',
      last_message_type text not null default 'chat',
      last_message_from_me boolean not null default false,
      last_message_at timestamptz not null default now(),
      unread_messages int not null default 0,
      out_of_hours_sent_at timestamptz,
      episode_id int,
      version bigint not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      -- behaviour 4: one ticket per connection and contact, for ever
      unique (connection_id, contact_id),
      check ((status = 'open') <= (user_id is not null))
    ) with (fillfactor = 85)`.execute(db);
  await sql`create index tickets_list on tickets (company_id, status, last_message_at desc, id desc)`.execute(db);
  await sql`create index tickets_of_queue on tickets (company_id, queue_id, status, last_message_at desc, id desc)`.execute(
    db,
  );
  await sql`create index tickets_of_user on tickets (user_id, status, last_message_at desc, id desc) where user_id is not null`.execute(
    db,
  );
  await sql`create index tickets_of_contact on tickets (contact_id)`.execute(db);
  await protect(db, "tickets");

  await sql`
    create table episodes (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      ticket_id int not null references tickets on delete cascade,
      protocol text not null default '',
      queued_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      user_id int references users on delete set null,
      queue_id int references queues on delete set null,
      rating int check (rating between 1 and 3),
      rating_asked_at timestamptz,
      rated_at timestamptz
    )`.execute(db);
  await sql`create index episodes_of_ticket on episodes (ticket_id, id desc)`.execute(db);
  await sql`create unique index episodes_one_running on episodes (ticket_id) where finished_at is null`.execute(db);
  await sql`create index episodes_finished on episodes (company_id, finished_at) where finished_at is not null`.execute(
    db,
  );
  await protect(db, "episodes");

  await sql`
    create table ticket_tags (
      company_id int not null references companies on delete cascade,
      ticket_id int not null references tickets on delete cascade,
      tag_id int not null references tags on delete cascade,
      primary key (ticket_id, tag_id)
    )`.execute(db);
  await sql`create index ticket_tags_tag on ticket_tags (tag_id)`.execute(db);
  await protect(db, "ticket_tags");

  await sql`
    create table ticket_products (
      company_id int not null references companies on delete cascade,
      ticket_id int not null references tickets on delete cascade,
      product_id int not null references products on delete cascade,
      primary key (ticket_id, product_id)
    )`.execute(db);
  await sql`create index ticket_products_product on ticket_products (product_id)`.execute(db);
  await protect(db, "ticket_products");

  await sql`
    create table ticket_notes (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      ticket_id int references tickets on delete cascade,
      contact_id int not null references contacts on delete cascade,
      user_id int references users on delete set null,
      note text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index ticket_notes_contact on ticket_notes (contact_id, id desc)`.execute(db);
  await sql`create index ticket_notes_ticket on ticket_notes (ticket_id, id desc)`.execute(db);
  await protect(db, "ticket_notes");
}

async function createMessages(db: Kysely<unknown>) {
  await sql`
    create table messages (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      ticket_id int not null references tickets on delete cascade,
      contact_id int not null references contacts on delete cascade,
      connection_id int references connections on delete set null,
      queue_id int,
      user_id int references users on delete set null,
      -- chosen before sending, kept over every retry
      wa_id text not null,
      client_id text,
      from_me boolean not null,
      is_automatic boolean not null default false,
      ack smallint not null default 0,
      fail_reason text,
      is_read boolean not null default false,
      media_type text not null default 'chat',
      body text not null default '',
      data jsonb,
      quoted_wa_id text,
      quoted_id bigint,
      participant jsonb,
      is_deleted boolean not null default false,
      is_edited boolean not null default false,
      -- a placeholder for what could not be decrypted yet; never overwrites content, is overwritten by it
      is_stub boolean not null default false,
      sent_at timestamptz not null,
      version bigint not null default 1,
      created_at timestamptz not null default now(),
      -- the only judge of duplicates (behaviour 3)
      unique (connection_id, wa_id, from_me),
      unique (company_id, client_id)
    ) with (fillfactor = 90)`.execute(db);
  await sql`create index messages_of_ticket on messages (ticket_id, sent_at desc, id desc)`.execute(db);
  await sql`create index messages_unsent on messages (connection_id, id) where from_me and ack = 0`.execute(db);
  await sql`create index messages_unread on messages (ticket_id, id) where not from_me and not is_read`.execute(db);
  await sql`create index messages_of_contact on messages (contact_id)`.execute(db);
  await protect(db, "messages");

  await sql`
    create table message_edits (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      message_id bigint not null references messages on delete cascade,
      body text not null,
      at timestamptz not null default now()
    )`.execute(db);
  await sql`create index message_edits_of on message_edits (message_id, id)`.execute(db);
  await protect(db, "message_edits");

  await sql`
    create table message_reactions (
      company_id int not null references companies on delete cascade,
      message_id bigint not null references messages on delete cascade,
      -- the agent's side has one voice on WhatsApp: '' ; otherwise the sender's identifier
      sender text not null,
      sender_name text not null default '',
      emoji text not null,
      at timestamptz not null,
      primary key (message_id, sender)
    )`.execute(db);
  await protect(db, "message_reactions");

  // An edit, deletion or reaction can come before its message: it waits here (behaviour 3: nothing is dropped).
  await sql`
    create table message_changes_waiting (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      connection_id int not null references connections on delete cascade,
      wa_id text not null,
      change jsonb not null,
      at timestamptz not null default now()
    )`.execute(db);
  await sql`create index message_changes_waiting_for on message_changes_waiting (connection_id, wa_id)`.execute(db);
  await protect(db, "message_changes_waiting");

  await sql`
    create table media (
      message_id bigint primary key references messages on delete cascade,
      company_id int not null references companies on delete cascade,
      state text not null check (state in ('wanted', 'fetching', 'ready', 'failed', 'expired')),
      storage_key text,
      file_name text,
      mime_type text,
      size bigint,
      width int,
      height int,
      seconds real,
      is_voice boolean not null default false,
      thumbnail bytea,
      -- where WhatsApp keeps it and the key to open it, sealed
      source bytea,
      fail_reason text
    )`.execute(db);
  await protect(db, "media");
}
