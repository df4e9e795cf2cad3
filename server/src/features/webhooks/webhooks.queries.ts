import { pageSize, webhookRules } from "@prosa/contract";
import type { Webhook, WebhookBody, WebhookChanges, WebhookDelivery } from "@prosa/contract";
import { sql } from "kysely";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";
import type {} from "./webhooks.tables.ts";

export function secretContext(companyId: number, id: number): string {
  return `webhook:${companyId}:${id}:secret`;
}

export const sealedSecrets: SealedColumn = {
  table: "webhooks",
  column: "secret",
  key: ["company_id", "id"],
  contextOf: (row) => secretContext(Number(row["company_id"]), Number(row["id"])),
};

const columns = [
  "id",
  "url",
  "description",
  "events",
  "is_active as isActive",
  "switched_off as switchedOff",
  "failing_since as failingSince",
  "created_at as createdAt",
] as const;

export type WebhookRow = Omit<Webhook, "failingSince" | "createdAt"> & {
  readonly failingSince: Date | null;
  readonly createdAt: Date;
};

export async function findWebhooks(ctx: Ctx, ids: readonly number[]): Promise<WebhookRow[]> {
  return ctx.db
    .selectFrom("webhooks")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", ids.length > 0 ? [...ids] : [0])
    .orderBy("id")
    .execute();
}

export async function findWebhookPage(ctx: Ctx, pageNumber: number) {
  const rows = await ctx.db
    .selectFrom("webhooks")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .orderBy("id")
    .limit(pageSize.others)
    .offset((pageNumber - 1) * pageSize.others)
    .execute();
  return { rows, count: await countWebhooks(ctx) };
}

export async function countWebhooks(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db
    .selectFrom("webhooks")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertWebhook(ctx: Ctx, body: WebhookBody): Promise<number> {
  const { url, description, events, isActive } = body;
  const { id } = await ctx.db
    .insertInto("webhooks")
    .values({
      company_id: ctx.companyId,
      url,
      description,
      events,
      is_active: isActive,
      created_at: ctx.now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The fields of a form; switched on, it has not failed. Returns whether it exists. */
/** False where there is none. Absent fields stay unchanged. */
export async function saveWebhook(ctx: Ctx, id: number, body: WebhookChanges): Promise<boolean> {
  const { url, description, events, isActive } = body;
  const saved = await ctx.db
    .updateTable("webhooks")
    .set({
      company_id: ctx.companyId,
      url,
      description,
      events,
      is_active: isActive,
      ...(isActive && { switched_off: null, failing_since: null }),
    })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return saved !== undefined;
}

export async function lacksSecret(ctx: Ctx, id: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("webhooks")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .where("secret", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function saveSecret(ctx: Ctx, id: number, secret: Buffer): Promise<boolean> {
  const saved = await ctx.db
    .updateTable("webhooks")
    .set({ secret })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return saved !== undefined;
}

export async function deleteWebhook(ctx: Ctx, id: number): Promise<boolean> {
  const deleted = await ctx.db
    .deleteFrom("webhooks")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

export type DeliveryRow = Omit<WebhookDelivery, "nextAttemptAt" | "createdAt" | "deliveredAt"> & {
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
};

const deliveryColumns = `d.id, d.webhook_id as "webhookId", d.type, d.state, d.attempts, d.next_attempt_at as "nextAttemptAt",
  d.status, d.error, d.answer, d.duration_ms as "durationMs", d.created_at as "createdAt", d.delivered_at as "deliveredAt"`;

const DELIVERIES: Statement<DeliveryRow> = {
  name: "webhook_deliveries_page",
  text: `select ${deliveryColumns} from webhook_deliveries d
    where d.company_id = $1 and d.endpoint_id = $2 order by d.id desc limit $4 offset $3`,
};

const DELIVERIES_OF_STATE: Statement<DeliveryRow> = {
  name: "webhook_deliveries_of_state",
  text: `select ${deliveryColumns} from webhook_deliveries d
    where d.company_id = $1 and d.endpoint_id = $2 and d.state = $5 order by d.id desc limit $4 offset $3`,
};

/** A page of the deliveries, the newest first, and one more row where there are more. */
export async function findDeliveryPage(
  ctx: Ctx,
  endpointId: number,
  { pageNumber, state }: { readonly pageNumber: number; readonly state: string },
): Promise<DeliveryRow[]> {
  const range = [ctx.companyId, endpointId, (pageNumber - 1) * pageSize.others, pageSize.others + 1];
  return state === "" ? ctx.raw(DELIVERIES, range) : ctx.raw(DELIVERIES_OF_STATE, [...range, state]);
}

const COUNT_DELIVERIES: Statement<{ count: number }> = {
  name: "webhook_deliveries_count",
  text: `select count(*)::int as count from webhook_deliveries
    where company_id = $1 and endpoint_id = $2 and ($3 = '' or state = $3)`,
};

export async function countDeliveries(ctx: Ctx, endpointId: number, state: string): Promise<number> {
  const [counted] = await ctx.raw(COUNT_DELIVERIES, [ctx.companyId, endpointId, state]);
  return counted?.count ?? 0;
}

const DELIVERY: Statement<DeliveryRow> = {
  name: "webhook_delivery_find",
  text: `select ${deliveryColumns} from webhook_deliveries d where d.company_id = $1 and d.endpoint_id = $2 and d.id = $3`,
};

export async function findDelivery(ctx: Ctx, endpointId: number, id: number): Promise<DeliveryRow | undefined> {
  const [row] = await ctx.raw(DELIVERY, [ctx.companyId, endpointId, id]);
  return row;
}

export interface NewDelivery {
  readonly endpointId: number;
  readonly webhookId: string;
  readonly type: string;
  readonly subject: string;
  readonly body: string;
}

/** Stores deliveries in this order and returns their ids; those that are there already are left out. */
export async function insertDeliveries(
  ctx: Ctx,
  deliveries: readonly NewDelivery[],
): Promise<{ readonly id: number; readonly endpointId: number; readonly subject: string }[]> {
  if (deliveries.length === 0) {
    return [];
  }
  return ctx.db
    .insertInto("webhook_deliveries")
    .values(
      deliveries.map(({ endpointId, webhookId, type, subject, body }) => ({
        company_id: ctx.companyId,
        endpoint_id: endpointId,
        webhook_id: webhookId,
        type,
        subject,
        body,
        created_at: ctx.now(),
        next_attempt_at: ctx.now(),
      })),
    )
    .onConflict((conflict) => conflict.columns(["endpoint_id", "webhook_id"]).doNothing())
    .returning(["id", "endpoint_id as endpointId", "subject"])
    .execute();
}

/** Makes a delivery wait again, as if it had never been tried. Returns its subject; undefined where it is not there. */
export async function resetDelivery(ctx: Ctx, endpointId: number, id: number): Promise<string | undefined> {
  const row = await ctx.db
    .updateTable("webhook_deliveries")
    .set({ state: "waiting", attempts: 0, next_attempt_at: ctx.now(), delivered_at: null })
    .where("company_id", "=", ctx.companyId)
    .where("endpoint_id", "=", endpointId)
    .where("id", "=", id)
    .returning("subject")
    .executeTakeFirst();
  return row?.subject;
}

const batchSize = 5_000;

/** Forgets old deliveries, of all companies; those that wait still are kept. */
export async function pruneDeliveries(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - webhookRules.keptDays * 86_400_000);
  for (;;) {
    const { rows } = await sql`
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where created_at < ${before} and state <> 'waiting'
        order by created_at limit ${batchSize})
      returning id`.execute(db.system);
    if (rows.length < batchSize) {
      return;
    }
  }
}
