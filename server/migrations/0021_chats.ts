import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Internal chat between the people of a company. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chats (
      id int generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      company_id int not null references companies on delete cascade,
      owner_id int references users on delete set null,
      title text not null,
      last_message text not null default '',
      -- of the last message, or of the last change
      updated_at timestamptz not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index chats_of_company on chats (company_id, updated_at)`.execute(db);
  await sql`create index chats_of_owner on chats (owner_id)`.execute(db);
  await protect(db, "chats");

  await sql`
    create table chat_users (
      company_id int not null references companies on delete cascade,
      chat_id int not null references chats on delete cascade,
      user_id int not null references users on delete cascade,
      unreads int not null default 0,
      primary key (chat_id, user_id)
    )`.execute(db);
  await sql`create index chat_users_of_user on chat_users (user_id)`.execute(db);
  await sql`create index chat_users_of_company on chat_users (company_id)`.execute(db);
  await protect(db, "chat_users");

  await sql`
    create table chat_messages (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      chat_id int not null references chats on delete cascade,
      sender_id int references users on delete set null,
      -- stays when the account goes
      sender_name text not null,
      message text not null,
      -- of the browser that sent it: the same one again is the same message
      client_id text,
      created_at timestamptz not null,
      unique (chat_id, client_id)
    )`.execute(db);
  await sql`create index chat_messages_of_chat on chat_messages (chat_id, id)`.execute(db);
  await sql`create index chat_messages_of_sender on chat_messages (sender_id)`.execute(db);
  await sql`create index chat_messages_of_company on chat_messages (company_id)`.execute(db);
  await protect(db, "chat_messages");
}
