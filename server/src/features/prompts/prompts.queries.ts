import { sql } from "kysely";
import type { Insertable, Updateable } from "kysely";
import type { Prompt } from "@prosa/contract";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { PromptsTable } from "./prompts.tables.ts";

export type PromptRow = Omit<Prompt, "queue">;
export type NewPromptRow = Omit<Insertable<PromptsTable>, "company_id">;
export type PromptRowChanges = Omit<Updateable<PromptsTable>, "id" | "company_id">;

/** Selects whether a key is set, never the key: no view can leak it. */
function selectPrompts(ctx: Ctx) {
  return ctx.db
    .selectFrom("prompts")
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
      sql<boolean>`api_key is not null`.as("hasApiKey"),
      sql<boolean>`voice_key is not null`.as("hasVoiceKey"),
    ])
    .where("company_id", "=", ctx.companyId);
}

export async function findPrompts(ctx: Ctx): Promise<PromptRow[]> {
  return selectPrompts(ctx)
    .orderBy(sql`folded(name)`)
    .execute();
}

export async function findPrompt(ctx: Ctx, id: number): Promise<PromptRow | undefined> {
  return selectPrompts(ctx).where("id", "=", id).executeTakeFirst();
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
