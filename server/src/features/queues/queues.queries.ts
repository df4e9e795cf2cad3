import type { WaitLimits } from "@prosa/contract";
import { sql } from "kysely";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Assistants } from "./assistants.ts";
import type { QueuesTable } from "./queues.tables.ts";

export interface QueueRow extends Omit<Selectable<QueuesTable>, "company_id" | "created_at" | "token_hash"> {
  readonly has_token: boolean;
}
export type NewQueueRow = Omit<Insertable<QueuesTable>, "company_id">;
export type QueueRowChanges = Updateable<QueuesTable>;

const columns = [
  "id",
  "name",
  "color",
  "order_queue",
  "greeting_message",
  "complation_message",
  "out_of_hours_message",
  "rating_message",
  "integration_id",
  "prompt_id",
  "wait_warning_minutes",
  "wait_limit_minutes",
  "retention_days",
  "schedules",
  sql<boolean>`token_hash is not null`.as("has_token"),
] as const;

export async function findQueues(ctx: Ctx): Promise<QueueRow[]> {
  return ctx.db
    .selectFrom("queues")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .orderBy("order_queue")
    .orderBy("id")
    .execute();
}

export async function insertQueue(ctx: Ctx, queue: NewQueueRow): Promise<QueueRow> {
  return ctx.db
    .insertInto("queues")
    .values({ ...queue, company_id: ctx.companyId })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Undefined if there is no such queue. */
/** The limits of waiting, which no other request changes until the transaction ends. Undefined if there is no such queue. */
export async function lockWaitLimits(ctx: Ctx, id: number): Promise<WaitLimits | undefined> {
  return ctx.db
    .selectFrom("queues")
    .select(["wait_warning_minutes as waitWarningMinutes", "wait_limit_minutes as waitLimitMinutes"])
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function saveQueue(ctx: Ctx, id: number, changes: QueueRowChanges): Promise<QueueRow | undefined> {
  return ctx.db
    .updateTable("queues")
    .set({ ...changes, company_id: ctx.companyId })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .returning(columns)
    .executeTakeFirst();
}

/** Sets the references of queues to this prompt or integration to null; returns the ids of those queues. */
export async function clearReferences(ctx: Ctx, deleted: Assistants): Promise<number[]> {
  const { promptId = null, integrationId = null } = deleted;
  const { rows } = await sql<{ id: number }>`
    update queues set prompt_id = nullif(prompt_id, ${promptId}), integration_id = nullif(integration_id, ${integrationId})
    where company_id = ${ctx.companyId} and (prompt_id = ${promptId} or integration_id = ${integrationId})
    returning id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

export async function deleteQueue(ctx: Ctx, id: number): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom("queues")
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
