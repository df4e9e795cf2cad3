import { sql } from "kysely";
import type { Kysely } from "kysely";
import { SYSTEM_ROLE } from "../src/platform/db/migration-helpers.ts";

/** What is said in a voice message, in words; searches find the message by it (decision 0218). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table messages add column transcript text`.execute(db);
  await asSystem(db, (system) =>
    // as in 0050, with the transcript
    sql`
      create or replace function follow_message_text() returns trigger
      language plpgsql security definer set search_path = public
      as $$
      declare
        folded_text text;
      begin
        if tg_op <> 'INSERT' then
          delete from message_texts where ticket_id = old.ticket_id and message_id = old.id;
        end if;
        if tg_op <> 'DELETE' and (new.body <> '' or new.transcript <> '') and not new.is_deleted then
          folded_text := folded(concat_ws(' ', nullif(new.body, ''), nullif(new.transcript, '')));
          insert into message_texts (company_id, ticket_id, message_id, text)
          values (new.company_id, new.ticket_id, new.id, folded_text);
          insert into message_words (company_id, key, word)
          select new.company_id, word_key(new.company_id, w.word), w.word from words_of(folded_text) w (word)
          where not exists (
            select from message_words m where m.key = word_key(new.company_id, w.word) and m.word = w.word);
        end if;
        return null;
      end $$`.execute(system),
  );
  await sql`drop trigger message_text_changed on messages`.execute(db);
  await sql`drop trigger message_text_gone on messages`.execute(db);
  await sql`
    create trigger message_text_changed after update of body, is_deleted, ticket_id, transcript on messages for each row
    when ((old.body, old.is_deleted, old.ticket_id, old.transcript)
      is distinct from (new.body, new.is_deleted, new.ticket_id, new.transcript))
    execute function follow_message_text()`.execute(db);
  await sql`
    create trigger message_text_gone after delete on messages for each row
    when (old.body <> '' or old.transcript <> '') execute function follow_message_text()`.execute(db);
}

/** Only its owner may replace a function, and who migrates need be no more than allowed to take that role. */
async function asSystem(db: Kysely<unknown>, work: (system: Kysely<unknown>) => Promise<unknown>) {
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await work(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
}
