import { sql } from "kysely";
import type { Kysely } from "kysely";

/** What the tokens of AI prompts cost, a monthly cap of it, and whether their models see customers' pictures (decision 0217). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table prompts
      -- US dollars for a million tokens; null: what it costs is not known
      add column input_price float8 check (input_price >= 0),
      add column output_price float8 check (output_price >= 0),
      -- US dollars of a month after which it hands over; null: no cap
      add column monthly_cost float8 check (monthly_cost >= 0),
      -- Off for prompts that are there: nobody decided yet that pictures of customers leave the house.
      add column reads_pictures boolean not null default false`.execute(db);
  // All signs are read for each question: they stay in the row, only the components beside it.
  await sql`alter table knowledge_vectors alter column signs set storage plain`.execute(db);
}
