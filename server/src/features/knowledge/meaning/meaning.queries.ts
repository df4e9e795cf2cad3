import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** The vectors of one model of one service; those of others cannot be compared with them. */
export interface Space {
  readonly id: number;
  readonly dimensions: number;
  readonly leastSimilarity: number;
}

export interface SpaceKey {
  readonly baseUrl: string;
  readonly model: string;
}

const SPACE: Statement<Space> = {
  name: "knowledge_space",
  text: `select id, dimensions, least_similarity as "leastSimilarity" from knowledge_spaces
    where company_id = $1 and base_url = $2 and model = $3`,
};

export async function findSpace(ctx: Ctx, { baseUrl, model }: SpaceKey): Promise<Space | undefined> {
  const [space] = await ctx.raw(SPACE, [ctx.companyId, baseUrl, model]);
  return space;
}

/** Keeps the one that another job made meanwhile. */
export async function insertSpace(ctx: Ctx, { baseUrl, model }: SpaceKey, space: Omit<Space, "id">): Promise<void> {
  await sql`
    insert into knowledge_spaces (company_id, base_url, model, dimensions, least_similarity, created_at)
    values (${ctx.companyId}, ${baseUrl}, ${model}, ${space.dimensions}, ${space.leastSimilarity}, ${ctx.now()})
    on conflict (company_id, base_url, model) do nothing`.execute(ctx.db);
}

/** A service that answers now with one model and now with another would have everything embedded again each time (ms). */
const spaceRestMs = 3_600_000;

/**
 * Deletes a space because another model answers under the same name: everything is embedded and measured again. False where it was
 * made within the last hour, or is gone.
 */
export async function deleteOldSpace(ctx: Ctx, id: number): Promise<boolean> {
  const madeBefore = new Date(ctx.now().getTime() - spaceRestMs);
  const { numAffectedRows } = await sql`delete from knowledge_spaces
    where company_id = ${ctx.companyId} and id = ${id} and created_at < ${madeBefore}`.execute(ctx.db);
  return numAffectedRows === 1n;
}

/**
 * What a prompt ($2; null: any) may read, each once: the passages of its sources, and the general quick messages where it has them, as
 * those of the first of the sources that name them.
 */
const readable = (columns: { readonly passage: string; readonly quick: string }) => `
    select ${columns.passage}
    from knowledge_passages p join knowledge_sources s on s.company_id = $1 and s.id = p.source_id
    where p.company_id = $1 and ($2::int is null or s.is_for_all or exists (
      select from knowledge_source_prompts sp where sp.company_id = $1 and sp.source_id = s.id and sp.prompt_id = $2))
    union all
    select ${columns.quick}
    from quick_messages q, (
      select s.id from knowledge_sources s
      where s.company_id = $1 and s.kind = 'quickMessages' and ($2::int is null or s.is_for_all or exists (
        select from knowledge_source_prompts sp where sp.company_id = $1 and sp.source_id = s.id and sp.prompt_id = $2))
      order by s.id limit 1) s
    where q.company_id = $1 and q.geral and q.status`;

export interface UnembeddedText {
  readonly digest: string;
  readonly sourceId: number;
  readonly text: string;
}

const UNEMBEDDED: Statement<UnembeddedText> = {
  name: "knowledge_unembedded",
  text: `with readable as (${readable({
    passage: `p.digest, s.id as "sourceId", p.heading || E'\\n' || p.body as text`,
    quick: `q.digest, s.id, q.shortcode || E'\\n' || q.message`,
  })})
    select distinct on (r.digest) r.* from readable r
    where r.digest <> all ($5::uuid[]) and not exists (
      select from knowledge_vectors v where v.company_id = $1 and v.space_id = $3 and v.digest = r.digest offset 0)
    order by r.digest limit $4`,
};

/** Texts that a prompt may read and that have no vector in a space, each once, without those of some digests. */
export async function findUnembedded(
  ctx: Ctx,
  {
    spaceId,
    promptId,
    except,
    limit,
  }: {
    readonly spaceId: number;
    readonly promptId: number;
    readonly except: readonly string[];
    readonly limit: number;
  },
): Promise<UnembeddedText[]> {
  return ctx.raw(UNEMBEDDED, [ctx.companyId, promptId, spaceId, limit, except]);
}

export interface NewVector {
  readonly digest: string;
  readonly signs: string;
  /** Base64. */
  readonly components: string;
}

/**
 * Kept of a text that the service refuses, so that it is not asked for again: a vector of no components, which is not among those of
 * the space's length and so is never found.
 */
export const noVector: Omit<NewVector, "digest"> = { signs: "", components: "" };

/** Vectors of texts that have one already are left out. */
export async function insertVectors(ctx: Ctx, spaceId: number, vectors: readonly NewVector[]): Promise<void> {
  await sql`
    insert into knowledge_vectors (company_id, digest, space_id, signs, components)
    select ${ctx.companyId}::int, v.digest, s.id, v.signs, decode(v.components, 'base64')
    from jsonb_to_recordset(${JSON.stringify(vectors)}::jsonb) as v (digest uuid, signs varbit, components text)
      join knowledge_spaces s on s.company_id = ${ctx.companyId} and s.id = ${spaceId}
    on conflict do nothing`.execute(ctx.db);
}

/** Deletes the vectors of texts that are gone, and of services and models that no prompt uses any more. */
export async function deleteUnusedVectors(ctx: Ctx): Promise<void> {
  await sql`
    delete from knowledge_spaces s where s.company_id = ${ctx.companyId} and not exists (
      select from prompts p where p.company_id = s.company_id and p.base_url = s.base_url and p.embedding_model = s.model)`.execute(
    ctx.db,
  );
  await sql`
    delete from knowledge_vectors v where v.company_id = ${ctx.companyId}
      and not exists (select from knowledge_passages p where p.company_id = v.company_id and p.digest = v.digest offset 0)
      and not exists (select from quick_messages q
        where q.company_id = v.company_id and q.digest = v.digest and q.geral and q.status offset 0)`.execute(ctx.db);
}

export interface Candidate {
  /** One of them is null. */
  readonly passageId: number | null;
  readonly quickMessageId: number | null;
  readonly components: Buffer;
}

const CANDIDATES: Statement<Candidate> = {
  name: "knowledge_candidates",
  // The components are read of the best alone.
  text: `with near as materialized (
      select v.digest, bit_count(v.signs # (select $4::text::varbit)) as distance
      from knowledge_vectors v where v.company_id = $1 and v.space_id = $3 and length(v.signs) = (select length($4::text))),
    readable as (${readable({ passage: `p.digest, p.id as passage, null::int as quick`, quick: `q.digest, null, q.id` })}),
    best as (
      select r.* from readable r join near n on n.digest = r.digest
      order by n.distance, r.passage, r.quick limit $5)
    select b.passage as "passageId", b.quick as "quickMessageId", v.components
    from best b join knowledge_vectors v on v.company_id = $1 and v.space_id = $3 and v.digest = b.digest`,
};

/** What a prompt may read, the most similar by the signs of their vectors. */
export async function findCandidates(
  ctx: Ctx,
  {
    spaceId,
    promptId,
    signs,
    limit,
  }: { readonly spaceId: number; readonly promptId: number | null; readonly signs: string; readonly limit: number },
): Promise<Candidate[]> {
  return ctx.raw(CANDIDATES, [ctx.companyId, promptId, spaceId, signs, limit]);
}

/** Companies that have knowledge; whether a prompt is to find it by meaning, their job sees. */
export const COMPANIES_WITH_MEANING: Statement<{ readonly companyId: number }> = {
  name: "knowledge_companies_with_meaning",
  text: `select distinct company_id as "companyId" from knowledge_sources`,
};
