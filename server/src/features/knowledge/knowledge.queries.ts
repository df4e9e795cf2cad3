import { pageSize } from "@prosa/contract";
import type { FoundPassage, KnowledgeSource } from "@prosa/contract";
import { sql } from "kysely";
import type { Insertable, Updateable } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { Passage } from "./extract/index.ts";
import type { KnowledgeSourcesTable } from "./knowledge.tables.ts";

export interface SourceRow {
  readonly id: number;
  readonly name: string;
  readonly kind: KnowledgeSource["kind"];
  readonly media_path: string | null;
  readonly media_name: string | null;
  readonly media_type: string | null;
  readonly media_size: number | null;
  readonly state: KnowledgeSource["state"];
  readonly failure: KnowledgeSource["failure"];
  readonly pages: number | null;
  readonly passages: number;
  /** Of its passages, how many have a vector, and how many a service refused. */
  readonly vectors: { readonly embedded: number; readonly refused: number };
  readonly is_for_all: boolean;
  readonly updated_at: Date;
  readonly prompts: readonly { readonly id: number; readonly name: string }[];
}

const columns = [
  "id",
  "name",
  "kind",
  "media_path",
  "media_name",
  "media_type",
  "media_size",
  "state",
  "failure",
  "pages",
  "passages",
  "is_for_all",
  "updated_at",
] as const satisfies readonly (keyof SourceRow)[];

/**
 * The length of a text's vector in a space of a prompt that may read the source: null where it has none, 0 where its service refused it,
 * the longest of several. By the index, row by row: joined without statistics it took four seconds for 5,000. The spaces are found once for
 * a source.
 */
const lengthOfVector = (digest: string) =>
  sql`(select max(length(v.signs)) from knowledge_vectors v
    where v.company_id = knowledge_sources.company_id and v.digest = ${sql.ref(digest)} and v.space_id = any (array(
      select sp.id from knowledge_spaces sp join prompts p on p.company_id = sp.company_id
        and p.base_url = sp.base_url and p.embedding_model = sp.model
      where sp.company_id = knowledge_sources.company_id and (knowledge_sources.is_for_all or exists (
        select from knowledge_source_prompts r
        where r.company_id = knowledge_sources.company_id and r.source_id = knowledge_sources.id and r.prompt_id = p.id)))))`;

const countedVectors = sql`json_build_object(
  'embedded', count(*) filter (where t.length > 0), 'refused', count(*) filter (where t.length = 0))`;

function sources(ctx: Ctx) {
  return ctx.db
    .selectFrom("knowledge_sources")
    .select(columns)
    .select(
      // The quick messages are read as they are, so their number is counted.
      sql<number>`case when kind = 'quickMessages' then (
          select count(*)::int from quick_messages q
          where q.company_id = knowledge_sources.company_id and q.geral and q.status)
        else passages end`.as("passages"),
    )
    .select(
      sql<SourceRow["vectors"]>`case when kind = 'quickMessages' then (
          select ${countedVectors} from (
            select ${lengthOfVector("q.digest")} as length from quick_messages q
            where q.company_id = knowledge_sources.company_id and q.geral and q.status) t)
        else (
          select ${countedVectors} from (
            select ${lengthOfVector("p.digest")} as length from knowledge_passages p
            where p.company_id = knowledge_sources.company_id and p.source_id = knowledge_sources.id) t) end`.as(
        "vectors",
      ),
    )
    .select(
      sql<SourceRow["prompts"]>`coalesce((
        select json_agg(json_build_object('id', p.id, 'name', p.name) order by folded(p.name))
        from knowledge_source_prompts sp join prompts p on p.company_id = sp.company_id and p.id = sp.prompt_id
        where sp.company_id = knowledge_sources.company_id and sp.source_id = knowledge_sources.id), '[]')`.as(
        "prompts",
      ),
    )
    .where("company_id", "=", ctx.companyId);
}

export async function searchSources(
  ctx: Ctx,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ readonly rows: SourceRow[]; readonly count: number }> {
  const matches = sql<boolean>`(${searchParam} = '' or strpos(folded(name), folded(${searchParam})) > 0)`;
  const [rows, { count }] = await Promise.all([
    sources(ctx)
      .where(matches)
      .orderBy(sql`folded(name)`)
      .orderBy("id")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    ctx.db
      .selectFrom("knowledge_sources")
      .where("company_id", "=", ctx.companyId)
      .where(matches)
      .select((of) => of.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export async function findSources(ctx: Ctx, ids: readonly number[]): Promise<SourceRow[]> {
  return sources(ctx).where("id", "in", ids).execute();
}

export async function findSource(ctx: Ctx, id: number): Promise<SourceRow | undefined> {
  return sources(ctx).where("id", "=", id).executeTakeFirst();
}

/** The text of a page of text. */
export async function findSourceText(ctx: Ctx, id: number): Promise<string> {
  const row = await ctx.db
    .selectFrom("knowledge_sources")
    .select("body")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.body ?? "";
}

/** Whether a source is the company's quick messages. */
export async function readsQuickMessages(ctx: Ctx): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("knowledge_sources")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("kind", "=", "quickMessages")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a source, so that one change of its text follows the other. False if there is none. */
export async function lockSource(ctx: Ctx, id: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("knowledge_sources")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the company's sources against additions and counts them with their passages, those of `besides` left out. */
export async function countSources(
  ctx: Ctx,
  besides = 0,
): Promise<{ readonly sources: number; readonly passages: number }> {
  await sql`select pg_advisory_xact_lock(hashtext('knowledge'), ${ctx.companyId})`.execute(ctx.db);
  const { rows } = await sql<{ sources: number; passages: number }>`
    select count(*)::int as sources, coalesce(sum(passages), 0)::int as passages from knowledge_sources
    where company_id = ${ctx.companyId} and id <> ${besides}`.execute(ctx.db);
  return rows[0] ?? { sources: 0, passages: 0 };
}

export async function insertSource(
  ctx: Ctx,
  row: Omit<Insertable<KnowledgeSourcesTable>, "company_id" | "created_at" | "updated_at">,
): Promise<number> {
  const at = ctx.now();
  const { id } = await ctx.db
    .insertInto("knowledge_sources")
    .values({ ...row, company_id: ctx.companyId, created_at: at, updated_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export type SourceChanges = Omit<Updateable<KnowledgeSourcesTable>, "id" | "company_id" | "created_at" | "updated_at">;

export async function saveSource(ctx: Ctx, id: number, changes: SourceChanges): Promise<void> {
  await ctx.db
    .updateTable("knowledge_sources")
    .set({ ...changes, updated_at: ctx.now() })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

export async function deleteSource(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("knowledge_sources").where("company_id", "=", ctx.companyId).where("id", "=", id).execute();
}

/** The prompts that read a source. Breaks `knowledge_source_prompts_prompt` where one is none of the company's. */
export async function saveSourcePrompts(ctx: Ctx, sourceId: number, promptIds: readonly number[]): Promise<void> {
  await ctx.db
    .deleteFrom("knowledge_source_prompts")
    .where("company_id", "=", ctx.companyId)
    .where("source_id", "=", sourceId)
    .execute();
  if (promptIds.length > 0) {
    await ctx.db
      .insertInto("knowledge_source_prompts")
      .values([...new Set(promptIds)].map((id) => ({ company_id: ctx.companyId, source_id: sourceId, prompt_id: id })))
      .execute();
  }
}

/** Their words are found by PostgreSQL, two milliseconds each: a statement stays far below its time limit. */
const passagesAtOnce = 500;

/** Puts these passages in the place of those that the source has. */
export async function savePassages(ctx: Ctx, sourceId: number, passages: readonly Passage[]): Promise<void> {
  await ctx.db
    .deleteFrom("knowledge_passages")
    .where("company_id", "=", ctx.companyId)
    .where("source_id", "=", sourceId)
    .execute();
  for (let from = 0; from < passages.length; from += passagesAtOnce) {
    const batch = JSON.stringify(passages.slice(from, from + passagesAtOnce));
    await sql`
      insert into knowledge_passages (company_id, source_id, position, heading, page, body)
      select ${ctx.companyId}, ${sourceId}, ${from}::int + p.position, p.heading, p.page, p.text
      from rows from (
        jsonb_to_recordset(${batch}::jsonb) as (heading text, page int, text text)
      ) with ordinality as p (heading, page, text, position)`.execute(ctx.db);
  }
  await sql`delete from knowledge_words where company_id = ${ctx.companyId} and source_id = ${sourceId}`.execute(
    ctx.db,
  );
  await sql`
    insert into knowledge_words (company_id, source_id, word)
    select distinct ${ctx.companyId}::int, ${sourceId}::int, w.lexeme
    from knowledge_passages p, unnest(p.search) w
    where p.company_id = ${ctx.companyId} and p.source_id = ${sourceId}`.execute(ctx.db);
}

/** The storage keys among these that a source refers to. */
export async function findKnowledgeFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("knowledge_sources")
    .select("media_path")
    .where("company_id", "=", ctx.companyId)
    .where("media_path", "in", [...keys])
    .execute();
  return rows.flatMap(({ media_path: key }) => key ?? []);
}

const HAS_KNOWLEDGE: Statement<{ readonly has: boolean }> = {
  name: "knowledge_has",
  text: `select exists (
      select from knowledge_sources s where s.company_id = $1 and (s.passages > 0 or s.kind = 'quickMessages') and (s.is_for_all or exists (
        select from knowledge_source_prompts sp
        where sp.company_id = $1 and sp.source_id = s.id and sp.prompt_id = $2))) as has`,
};

/** Whether a prompt has anything to read. */
export async function hasKnowledge(ctx: Ctx, promptId: number): Promise<boolean> {
  const [row] = await ctx.raw(HAS_KNOWLEDGE, [ctx.companyId, promptId]);
  return row?.has ?? false;
}

/** Whether the company has this prompt. */
export async function hasPrompt(ctx: Ctx, promptId: number): Promise<boolean> {
  const { rows } = await sql`select from prompts where company_id = ${ctx.companyId} and id = ${promptId}`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** A passage that may be given to a prompt, with its id or that of the quick message that it is. */
export interface IdentifiedPassage extends FoundPassage {
  readonly passageId: number | null;
  readonly quickMessageId: number | null;
}

export interface RankedPassage extends IdentifiedPassage {
  readonly score: number;
  /** Of the question that the passage has, from 0 to 1; 0 where it was found by a word much like one of the question's. */
  readonly coverage: number;
}

const FIND_PASSAGES: Statement<RankedPassage> = {
  name: "knowledge_find",
  text: `select coalesce(p.source_id, 0) as "sourceId", coalesce(s.name, '/' || q.shortcode) as source,
      coalesce(p.heading, '') as heading, p.page, coalesce(p.body, q.message) as text, f.score, f.coverage,
      p.id as "passageId", q.id as "quickMessageId"
    from found_passages($2, $3, $4) f
      left join knowledge_passages p on p.company_id = $1 and p.id = f.passage_id
      left join knowledge_sources s on s.company_id = $1 and s.id = p.source_id
      left join quick_messages q on q.company_id = $1 and q.id = f.quick_message_id
    where p.id is not null or q.id is not null
    order by f.score desc, p.id, q.id`,
};

/** The best passages of what a prompt may read, all of the company's without one. */
export async function findPassages(
  ctx: Ctx,
  question: string,
  promptId: number | null,
  limit: number,
): Promise<RankedPassage[]> {
  return ctx.raw(FIND_PASSAGES, [ctx.companyId, question, promptId, limit]);
}

const LOAD_PASSAGES: Statement<IdentifiedPassage> = {
  name: "knowledge_load",
  text: `select p.source_id as "sourceId", s.name as source, p.heading, p.page, p.body as text, p.id as "passageId",
      null::int as "quickMessageId"
    from knowledge_passages p join knowledge_sources s on s.company_id = $1 and s.id = p.source_id
    where p.company_id = $1 and p.id = any ($2::bigint[])
    union all
    select 0, '/' || q.shortcode, '', null, q.message, null, q.id
    from quick_messages q where q.company_id = $1 and q.id = any ($3::int[])`,
};

/** Passages and quick messages by their ids, in no order. */
export async function loadPassages(
  ctx: Ctx,
  {
    passageIds,
    quickMessageIds,
  }: { readonly passageIds: readonly number[]; readonly quickMessageIds: readonly number[] },
): Promise<IdentifiedPassage[]> {
  return passageIds.length + quickMessageIds.length === 0
    ? []
    : ctx.raw(LOAD_PASSAGES, [ctx.companyId, passageIds, quickMessageIds]);
}
