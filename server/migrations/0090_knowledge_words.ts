import { sql } from "kysely";
import type { Kysely } from "kysely";
import { inEachCompany, protect, SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * The words of each source, by which a misspelt one is guessed (decision 0241). To compare it with whole passages took seconds where
 * there are thousands.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table knowledge_words (
      company_id int not null references companies on delete cascade,
      source_id int not null,
      -- as portuguese_search() writes it
      word text not null,
      primary key (company_id, source_id, word),
      foreign key (company_id, source_id) references knowledge_sources (company_id, id) on delete cascade
    )`.execute(db);
  await protect(db, "knowledge_words", { system: "read" });
  await inEachCompany(db, (company) =>
    sql`
      insert into knowledge_words (company_id, source_id, word)
      select distinct p.company_id, p.source_id, w.lexeme from knowledge_passages p, unnest(p.search) w`.execute(
      company,
    ),
  );
  await sql`drop index knowledge_passages_words`.execute(db);

  // Only its owner may replace a function, and who migrates need be no more than allowed to take that role.
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await replaceSearch(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
}

/** As in 0070, but for the end: words that are much alike are looked for among the words, and then the passages that have them. */
async function replaceSearch(db: Kysely<unknown>) {
  await sql`
    create or replace function found_passages(question text, asking_prompt int, at_most int)
    returns table (passage_id bigint, quick_message_id int, score real, coverage real)
    language plpgsql stable security definer set search_path = public set enable_seqscan = off
    as $$
    declare
      own int := nullif(current_setting('app.company_id', true), '')::int;
      sources int[];
      reads_quick boolean;
      total int;
    begin
      select array_agg(s.id) filter (where s.kind <> 'quickMessages'), coalesce(bool_or(s.kind = 'quickMessages'), false),
          coalesce(sum(s.passages), 0)
        into sources, reads_quick, total
        from knowledge_sources s
        where s.company_id = own and (s.passages > 0 or s.kind = 'quickMessages') and (asking_prompt is null or s.is_for_all or exists (
          select from knowledge_source_prompts sp
          where sp.company_id = own and sp.source_id = s.id and sp.prompt_id = asking_prompt));
      if reads_quick then
        total := total + (select count(*) from quick_messages q where q.company_id = own and q.geral and q.status);
      end if;

      return query
        with asked as (
          select a.lexeme, quote_literal(a.lexeme)::tsquery as query
          from unnest(portuguese_search(left(question, 4000))) a where a.lexeme !~ '\\\\' order by a.positions[1] limit 40
        ),
        hits as materialized (
          select p.id as passage, null::int as quick, a.lexeme
          from asked a join knowledge_passages p
            on p.company_id = own and p.search @@ a.query and p.source_id = any (sources)
          union all
          select null, q.id, a.lexeme
          from asked a join quick_messages q
            on reads_quick and q.company_id = own and q.geral and q.status and q.search @@ a.query
        ),
        weights as (
          select a.lexeme, ln(1 + total / greatest(count(h.lexeme), 0.5)) as weight
          from asked a left join hits h on h.lexeme = a.lexeme group by a.lexeme
        )
        select h.passage, h.quick, sum(w.weight)::real,
          (sum(w.weight) / (select sum(weight) from weights))::real
        from hits h join weights w on w.lexeme = h.lexeme
        group by h.passage, h.quick order by 3 desc, 1, 2 limit at_most;
      if found then
        return;
      end if;

      return query
        with asked as (
          select a.lexeme from unnest(portuguese_search(left(question, 4000))) a
          where length(a.lexeme) >= 4 order by length(a.lexeme) desc, 1 limit 8
        ),
        alike as materialized (
          select k.word, max(similarity(k.word, a.lexeme)) as likeness
          from asked a join knowledge_words k
            on k.company_id = own and k.source_id = any (sources) and similarity(k.word, a.lexeme) >= 0.4
          where k.word !~ '\\\\'
          group by k.word order by 2 desc, 1 limit 20
        )
        select p.id, null::int, max(l.likeness)::real, 0::real
        from alike l join knowledge_passages p
          on p.company_id = own and p.search @@ quote_literal(l.word)::tsquery and p.source_id = any (sources)
        group by p.id order by 3 desc, 1 limit at_most;
    end $$`.execute(db);
}
