import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** The company's own texts, which its AI prompts may read, and how they are searched (O-08, decision 0241). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createWords(db);

  await sql`
    create table knowledge_sources (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name text not null,
      kind text not null check (kind in ('text', 'file', 'quickMessages')),
      -- of a page of text
      body text not null default '',
      media_path text,
      media_name text,
      media_type text,
      media_size int,
      state text not null check (state in ('empty', 'reading', 'ready', 'failed')),
      failure text,
      pages int,
      passages int not null default 0,
      is_for_all boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (company_id, id),
      constraint knowledge_sources_name_taken unique (company_id, name)
    )`.execute(db);
  await sql`create index knowledge_sources_files on knowledge_sources (media_path) where media_path is not null`.execute(
    db,
  );
  await protect(db, "knowledge_sources", { system: "read" });

  await sql`
    create table knowledge_source_prompts (
      company_id int not null references companies on delete cascade,
      source_id int not null,
      prompt_id int not null,
      primary key (company_id, source_id, prompt_id),
      foreign key (company_id, source_id) references knowledge_sources (company_id, id) on delete cascade,
      constraint knowledge_source_prompts_prompt foreign key (company_id, prompt_id)
        references prompts (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index knowledge_source_prompts_of_prompt on knowledge_source_prompts (company_id, prompt_id)`.execute(
    db,
  );
  await protect(db, "knowledge_source_prompts", { system: "read" });

  await sql`
    create table knowledge_passages (
      id bigint generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      source_id int not null,
      -- within its source, from 1
      position int not null,
      heading text not null,
      page int,
      body text not null,
      search tsvector generated always as (portuguese_search(heading || ' ' || body)) stored,
      foreign key (company_id, source_id) references knowledge_sources (company_id, id) on delete cascade,
      unique (company_id, source_id, position)
    )`.execute(db);
  await sql`create index knowledge_passages_search on knowledge_passages using gin (company_id, search)`.execute(db);
  await sql`
    create index knowledge_passages_words on knowledge_passages
    using gin (company_id, folded(heading || ' ' || body) gin_trgm_ops)`.execute(db);
  await protect(db, "knowledge_passages", { system: "read" });

  await sql`
    alter table quick_messages
      add column search tsvector generated always as (portuguese_search(shortcode || ' ' || message)) stored`.execute(
    db,
  );
  await sql`create index quick_messages_search on quick_messages using gin (company_id, search) where geral and status`.execute(
    db,
  );
  await sql`create policy search on quick_messages for select to prosa_system using (true)`.execute(db);
  await sql`grant select on quick_messages to prosa_system`.execute(db);

  await createSearch(db);
}

/** Words that say nothing of their own, as customers write them; the stemmer's list has them with accents only. */
const fillers = `nao|voce|voces|vc|vcs|tambem|tb|ja|so|ate|estao|sera|sao|ha|la|ai|aqui|pra|pro|ola|oi|obrigado|obrigada|favor|
gostaria|queria|quero|saber|poderia|pode|podem|mais|muito|tem|temos|tenho|qual|quais|quando|quanto|quantos|onde|como|porque|por|que`;

/** What is done to the folded text, in order: pattern and replacement. */
const steps = [
  [`\\m(${fillers.replaceAll("\n", "")})\\M`, " "],
  // plurals: cartões, pães, papéis, homens
  ["(\\w)(oes|aes)\\M", "\\1ao"],
  ["(\\w[aeou])is\\M", "\\1l"],
  ["(\\w[aeiou])ns\\M", "\\1m"],
  // endings that the stemmer takes off
  ["([au])cao\\M", "\\1ção"],
  ["encia(s?)\\M", "ência\\1"],
  ["ancia(s?)\\M", "ância\\1"],
  ["avel\\M", "ável"],
  ["ivel\\M", "ível"],
] as const;

/**
 * PostgreSQL's Portuguese stemmer needs the accents that people leave out when they type, and knows the plural of neither cartão nor
 * papel. So words are folded, their irregular plurals reduced, and the accents of the endings that it knows put back.
 */
async function createWords(db: Kysely<unknown>) {
  const terms = steps.reduce(
    (text, [pattern, replacement]) => `regexp_replace(${text}, '${pattern}', '${replacement}', 'g')`,
    "public.folded($1)",
  );
  await sql`
    create function portuguese_terms(text) returns text language sql immutable strict parallel safe
    return ${sql.raw(terms)}`.execute(db);
  await sql`
    create function portuguese_search(text) returns tsvector language sql immutable strict parallel safe
    return to_tsvector('pg_catalog.portuguese'::regconfig, public.portuguese_terms($1))`.execute(db);
  await sql`grant execute on function portuguese_terms(text), portuguese_search(text) to prosa_app, prosa_system`.execute(
    db,
  );
}

/**
 * As found_contacts(): the index serves no search under row-level security, so this asks for the company itself (decision 0044), and
 * returns nothing but ids.
 *
 * A word counts by how rare it is among the company's passages, and a passage by the words that it shares with the question. `coverage` says how much
 * of the question it has, from 0 to 1. Where no passage shares a word, those that have a word much like one of them are returned with
 * coverage 0: a letter was forgotten.
 */
async function createSearch(db: Kysely<unknown>) {
  await sql`
    create function found_passages(question text, asking_prompt int, at_most int)
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

      perform set_config('pg_trgm.word_similarity_threshold', '0.5', true);
      return query
        select p.id, null::int, max(word_similarity(w.word, folded(p.heading || ' ' || p.body))), 0::real
        from (
            select distinct unnest(regexp_split_to_array(folded(portuguese_terms(left(question, 400))), '\\W+')) as word) w
          join knowledge_passages p
            on p.company_id = own and folded(p.heading || ' ' || p.body) %> w.word and p.source_id = any (sources)
        where length(w.word) >= 5
        group by p.id order by 3 desc, 1 limit at_most;
    end $$`.execute(db);
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`alter function found_passages(text, int, int) owner to prosa_system`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
  await sql`revoke execute on function found_passages(text, int, int) from public`.execute(db);
  await sql`grant execute on function found_passages(text, int, int) to prosa_app`.execute(db);
}
