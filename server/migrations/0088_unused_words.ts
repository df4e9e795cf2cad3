import { sql } from "kysely";
import type { Kysely } from "kysely";
import { APP_ROLE, SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * Removes words that no message of the company has any more (V-02). Under row-level security an index of arrays is not asked (decision
 * 0197): each word of a batch was looked for in every message of the company, so that no batch of a large one ended in time. As
 * `found_messages`, this runs as the machinery, for the transaction's company only, and asks the index word by word.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`
    create function forget_unused_words(keys bigint[]) returns void
    language plpgsql volatile security definer set search_path = public set enable_seqscan = off
    set max_parallel_workers_per_gather = 0
    as $$
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      one bigint;
      is_used boolean;
    begin
      foreach one in array keys loop
        -- a literal: the plan is made for this word; the keys of another company are others
        execute format('select exists (
          select from message_texts m where message_word_keys(m.company_id, m.text) && %L::bigint[])', array[one]) into is_used;
        if not is_used then
          delete from message_words w where w.company_id = company and w.key = one;
        end if;
      end loop;
    end $$`.execute(db);
  await sql`revoke execute on function forget_unused_words(bigint[]) from public`.execute(db);
  await sql`grant execute on function forget_unused_words(bigint[]) to ${sql.id(APP_ROLE)}`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
}
