import { sql } from "kysely";
import type { Insertable, Updateable } from "kysely";
import type { EmbeddingFault, Prompt, PromptFault } from "@prosa/contract";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { PromptsTable } from "./prompts.tables.ts";

export interface PromptRow extends Omit<Prompt, "queue" | "usage" | "fault" | "embeddingFault"> {
  /** Of the month that was asked for. */
  readonly requests: number;
  readonly tokens: number;
  /** US dollars; null where no price is set. */
  readonly cost: number | null;
  readonly faultKind: string | null;
  readonly faultAt: Date | null;
  readonly embeddingFaultKind: string | null;
  readonly embeddingFaultAt: Date | null;
}
export type NewPromptRow = Omit<Insertable<PromptsTable>, "company_id">;
export type PromptRowChanges = Omit<Updateable<PromptsTable>, "id" | "company_id">;

/** Selects whether a key is set, never the key: no view can leak it. With what was used in a month (its first day). */
function selectPrompts(ctx: Ctx, month: string) {
  return ctx.db
    .selectFrom("prompts")
    .leftJoin("prompt_usage as used", (join) =>
      join
        .onRef("used.company_id", "=", "prompts.company_id")
        .onRef("used.prompt_id", "=", "prompts.id")
        .on("used.month", "=", sql<string>`${month}::date`),
    )
    .select([
      "id",
      "name",
      "prompt",
      "voice",
      "voice_region as voiceRegion",
      "max_tokens as maxTokens",
      "temperature",
      "max_messages as maxMessages",
      "base_url as baseUrl",
      "model",
      "queue_id as queueId",
      "transcription_model as transcriptionModel",
      "monthly_tokens as monthlyTokens",
      "embedding_model as embeddingModel",
      "embedding_fault as embeddingFaultKind",
      "embedding_fault_at as embeddingFaultAt",
      "input_price as inputPrice",
      "output_price as outputPrice",
      "monthly_cost as monthlyCost",
      "reads_pictures as readsPictures",
      "fault as faultKind",
      "fault_at as faultAt",
      sql<number>`coalesce(used.requests, 0)`.as("requests"),
      sql<number>`coalesce(used.input_tokens + used.output_tokens, 0)::float8`.as("tokens"),
      // Without a price of one kind, its tokens cost nothing.
      sql<number | null>`case when input_price is not null or output_price is not null then
        (coalesce(used.input_tokens, 0) * coalesce(input_price, 0) + coalesce(used.output_tokens, 0) * coalesce(output_price, 0))
          / 1000000 end`.as("cost"),
      sql<boolean>`api_key is not null`.as("hasApiKey"),
      sql<boolean>`voice_key is not null`.as("hasVoiceKey"),
    ])
    .where("prompts.company_id", "=", ctx.companyId);
}

export async function findPrompts(ctx: Ctx, month: string): Promise<PromptRow[]> {
  return selectPrompts(ctx, month)
    .orderBy(sql`folded(name)`)
    .execute();
}

export async function findPrompt(ctx: Ctx, id: number, month: string): Promise<PromptRow | undefined> {
  return selectPrompts(ctx, month).where("id", "=", id).executeTakeFirst();
}

export async function insertPrompt(ctx: Ctx, prompt: NewPromptRow): Promise<number> {
  const { id } = await ctx.db
    .insertInto("prompts")
    .values({ ...prompt, company_id: ctx.companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** False if there is no such prompt. */
export async function savePrompt(ctx: Ctx, id: number, changes: PromptRowChanges): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable("prompts")
    .set({ ...changes, company_id: ctx.companyId })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks the prompt, so that no new reference to it is saved until the transaction ends. False if there is none. */
export async function lockPrompt(ctx: Ctx, id: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("prompts")
    .select("id")
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function deletePrompt(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("prompts").where("id", "=", id).where("company_id", "=", ctx.companyId).execute();
}

/** The keys of a prompt, encrypted; they leave the vault for a call only. */
export async function findKeys(
  ctx: Ctx,
  id: number,
): Promise<{ readonly apiKey: Buffer | null; readonly voiceKey: Buffer | null } | undefined> {
  return ctx.db
    .selectFrom("prompts")
    .select(["api_key as apiKey", "voice_key as voiceKey"])
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
}

/** The queue to which a prompt hands over; null if it has none, or is gone. */
export async function queueOf(ctx: Ctx, id: number): Promise<number | null> {
  const prompt = await ctx.db
    .selectFrom("prompts")
    .select("queue_id as queueId")
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
  return prompt?.queueId ?? null;
}

/** Saves why the last answer failed, or that it did not. False if that was so already: the row is not written for each answer. */
export async function saveFault(ctx: Ctx, id: number, fault: PromptFault | null): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable("prompts")
    .set({ fault, fault_at: fault === null ? null : ctx.now() })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .where("fault", "is distinct from", fault)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ids of the prompts whose texts are to be found by meaning too. */
export async function findEmbeddingPrompts(ctx: Ctx): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom("prompts")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("embedding_model", "<>", "")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Saves why the last vectors were not given, and when, or that they were. False if admins read nothing else than before. */
export async function saveEmbeddingFault(ctx: Ctx, id: number, fault: EmbeddingFault | null): Promise<boolean> {
  const { rows } = await sql<{ before: string | null }>`
    update prompts p set embedding_fault = ${fault}::text,
      embedding_fault_at = case when ${fault}::text is null then null else ${ctx.now()}::timestamptz end
    from (select id, embedding_fault as before from prompts
      where company_id = ${ctx.companyId} and id = ${id} for no key update) b
    where p.company_id = ${ctx.companyId} and p.id = b.id
      and (${fault}::text is not null or b.before is not null)
    returning b.before`.execute(ctx.db);
  return rows.some(({ before }) => before !== fault);
}

/** Adds a call and its tokens to a month. A prompt that was deleted meanwhile is not counted. */
export async function addUsage(
  ctx: Ctx,
  promptId: number,
  month: string,
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
): Promise<void> {
  await sql`
    insert into prompt_usage (company_id, prompt_id, month, requests, input_tokens, output_tokens)
    select ${ctx.companyId}, id, ${month}::date, 1, ${inputTokens}, ${outputTokens} from prompts
    where company_id = ${ctx.companyId} and id = ${promptId}
    on conflict (company_id, prompt_id, month) do update set requests = prompt_usage.requests + 1,
      input_tokens = prompt_usage.input_tokens + excluded.input_tokens,
      output_tokens = prompt_usage.output_tokens + excluded.output_tokens`.execute(ctx.db);
}

/** The encryption context of a prompt's keys. */
export function keyContext(companyId: number, promptId: number, name: "apiKey" | "voiceKey"): string {
  return `prompt:${companyId}:${promptId}:${name}`;
}

const sealedKey = (column: string, name: "apiKey" | "voiceKey"): SealedColumn => ({
  table: "prompts",
  column,
  key: ["company_id", "id"],
  contextOf: (row) => keyContext(Number(row["company_id"]), Number(row["id"]), name),
});

export const sealedPrompts = [sealedKey("api_key", "apiKey"), sealedKey("voice_key", "voiceKey")];
