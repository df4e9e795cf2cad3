import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect, share } from "#server/platform/db/migration-helpers.ts";

/** Devices that are rung while the browser is closed, and the key by which push services know this installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_keys (
      -- one pair for the installation: a new one would silence every device
      id int primary key default 1 check (id = 1),
      public_key text not null,
      private_key bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await share(db, "push_keys", { system: "all" });

  await sql`
    create table push_subscriptions (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      user_id int not null references users on delete cascade,
      -- the sign-in that asked for it: when that ends, the device is rung no more
      session_id uuid not null,
      endpoint text not null,
      -- the device's key and secret, sealed
      keys bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index push_subscriptions_endpoint on push_subscriptions (endpoint)`.execute(db);
  await sql`create index push_subscriptions_user on push_subscriptions (company_id, user_id)`.execute(db);
  await protect(db, "push_subscriptions", { system: "all" });
}
