import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** AI prompts and queue integrations, and what chooses them: queues, connections, tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table prompts (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      prompt text not null,
      voice text not null,
      voice_region text not null,
      max_tokens int not null,
      temperature real not null,
      max_messages int not null,
      base_url text not null,
      model text not null,
      -- sealed by the vault
      api_key bytea,
      voice_key bytea,
      queue_id int references queues on delete set null,
      created_at timestamptz not null default now(),
      unique (company_id, id),
      unique (company_id, name)
    )`.execute(db);
  await sql`create index prompts_of_queue on prompts (queue_id)`.execute(db);
  await protect(db, "prompts");

  await sql`
    create table queue_integrations (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      type text not null,
      name text not null,
      project_name text not null,
      -- a service account, sealed by the vault
      json_content bytea,
      language text not null,
      url_n8n text not null,
      typebot_slug text not null,
      typebot_delay_message int not null,
      typebot_expires int not null,
      typebot_keyword_finish text not null,
      typebot_keyword_restart text not null,
      typebot_restart_message text not null,
      typebot_unknown_message text not null,
      created_at timestamptz not null default now(),
      unique (company_id, id),
      unique (company_id, name)
    )`.execute(db);
  await protect(db, "queue_integrations");

  // With the company in the key no row can name another company's. Until now every id was refused: all are null.
  for (const table of ["queues", "connections", "tickets"]) {
    await chosenFrom(db, table, "prompt_id", "prompts");
    await chosenFrom(db, table, "integration_id", "queue_integrations");
  }
}

async function chosenFrom(db: Kysely<unknown>, table: string, column: string, target: string): Promise<void> {
  const [name, id] = [sql.table(table), sql.id(column)];
  await sql`
    alter table ${name} add constraint ${sql.id(`${table}_${column}_fkey`)} foreign key (company_id, ${id})
      references ${sql.table(target)} (company_id, id) on delete set null (${id})`.execute(db);
  await sql`create index ${sql.id(`${table}_${column}`)} on ${name} (${id}) where ${id} is not null`.execute(db);
}
