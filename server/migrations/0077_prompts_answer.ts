import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

/** What AI prompts need to answer customers: a model for voice messages, a monthly cap, their last fault, what they used (decision 0217). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table prompts
      add column transcription_model text not null default 'whisper-1',
      -- null: no cap
      add column monthly_tokens int check (monthly_tokens >= 0),
      -- why the last answer failed; null after one that did not
      add column fault text,
      add column fault_at timestamptz`.execute(db);
  await sql`
    create table prompt_usage (
      company_id int not null,
      prompt_id int not null,
      -- its first day, in the company's time zone
      month date not null,
      requests int not null default 0,
      input_tokens bigint not null default 0,
      output_tokens bigint not null default 0,
      primary key (company_id, prompt_id, month),
      foreign key (company_id, prompt_id) references prompts (company_id, id) on delete cascade
    )`.execute(db);
  await protect(db, "prompt_usage");
}
