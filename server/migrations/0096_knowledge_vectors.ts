import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Vectors of the company's texts, by which they are found by meaning too (O-08, decision 0241). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table prompts
      -- empty: its texts are found by their words only
      add column embedding_model text not null default 'text-embedding-3-small',
      add column embedding_fault text,
      add column embedding_fault_at timestamptz`.execute(db);
  await sql`
    alter table knowledge_passages
      -- of what is embedded: the same text has the same vector, wherever it stands
      add column digest uuid generated always as (md5(heading || E'\n' || body)::uuid) stored`.execute(db);
  await sql`
    alter table quick_messages
      add column digest uuid generated always as (md5(shortcode || E'\n' || message)::uuid) stored`.execute(db);

  await sql`
    create table knowledge_spaces (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      base_url text not null,
      model text not null,
      dimensions int not null,
      -- of a question and a passage that is about it; above 1: the model tells nothing apart
      least_similarity real not null,
      created_at timestamptz not null,
      unique (company_id, base_url, model),
      unique (company_id, id)
    )`.execute(db);
  await protect(db, "knowledge_spaces", { system: "read" });
  await sql`
    create table knowledge_vectors (
      company_id int not null references companies on delete cascade,
      digest uuid not null,
      space_id int not null,
      -- the signs of the components, by which candidates are found
      signs bit varying not null,
      -- the components, a signed byte each
      components bytea not null,
      primary key (company_id, digest, space_id),
      foreign key (company_id, space_id) references knowledge_spaces (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index knowledge_vectors_of_space on knowledge_vectors (company_id, space_id)`.execute(db);
  // The search reads all signs and few components: those are kept outside the row.
  await sql`alter table knowledge_vectors alter column components set storage external`.execute(db);
  await sql`alter table knowledge_vectors set (toast_tuple_target = 128)`.execute(db);
  await protect(db, "knowledge_vectors", { system: "read" });
}
