import type { WebhookDelivery } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import { hasEnteredSql } from "#server/features/users/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";
import type {} from "../webhooks.tables.ts";

/** An event of the outbox. */
export interface QueuedEvent {
  readonly id: number;
  readonly webhookId: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

const TAKE: Statement<QueuedEvent> = {
  name: "webhook_events_take",
  text: `with taken as (
      delete from webhook_events e where e.company_id = $1 and e.id = any(array(
        select id from webhook_events where company_id = $1 order by id limit $2))
      returning e.id, e.webhook_id, e.type, e.payload, e.at)
    select id, webhook_id as "webhookId", type, payload, at from taken order by id`,
};

/** Takes the oldest events out of the outbox: what becomes of them is stored in the same transaction. */
export async function takeEvents(ctx: Ctx, limit: number): Promise<QueuedEvent[]> {
  return ctx.raw(TAKE, [ctx.companyId, limit]);
}

export interface Subscription {
  readonly id: number;
  readonly events: readonly string[];
}

/** The endpoints that are on. */
export async function findSubscriptions(ctx: Ctx): Promise<Subscription[]> {
  return ctx.db
    .selectFrom("webhooks")
    .select(["id", "events"])
    .where("company_id", "=", ctx.companyId)
    .where("is_active", "=", true)
    .orderBy("id")
    .execute();
}

/** The companies with events in the outbox, for who missed the wake-up. */
export async function findCompaniesWithEvents(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from companies c where exists (select from webhook_events e where e.company_id = c.id)`.execute(
    db.system,
  );
  return rows.map(({ id }) => id);
}

/** A delivery that waits, with its endpoint. */
export interface DueDelivery {
  readonly id: number;
  readonly endpointId: number;
  readonly webhookId: string;
  readonly type: string;
  readonly body: string;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly url: string;
  readonly secret: Buffer | null;
  readonly isActive: boolean;
}

const DUE: Statement<DueDelivery> = {
  name: "webhook_delivery_due",
  text: `select d.id, d.endpoint_id as "endpointId", d.webhook_id as "webhookId", d.type, d.body, d.attempts,
      d.next_attempt_at as "nextAttemptAt", w.url, w.secret, w.is_active as "isActive"
    from webhook_deliveries d join webhooks w on w.company_id = d.company_id and w.id = d.endpoint_id
    where d.company_id = $1 and d.id = $2 and d.state = 'waiting'`,
};

export async function findDueDelivery(ctx: Ctx, id: number): Promise<DueDelivery | undefined> {
  const [due] = await ctx.raw(DUE, [ctx.companyId, id]);
  return due;
}

/** What came of an attempt. */
export interface Outcome {
  readonly state: WebhookDelivery["state"];
  readonly nextAttemptAt: Date | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly durationMs: number | null;
}

export async function saveOutcome(ctx: Ctx, id: number, outcome: Outcome): Promise<void> {
  const { state, nextAttemptAt, status, error, answer, durationMs } = outcome;
  await ctx.db
    .updateTable("webhook_deliveries")
    .set(({ eb }) => ({
      state,
      attempts: eb("attempts", "+", 1),
      next_attempt_at: nextAttemptAt,
      status,
      error,
      answer,
      duration_ms: durationMs,
      delivered_at: state === "delivered" ? ctx.now() : null,
    }))
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .execute();
}

/** The endpoint answered. Returns whether it had been failing. */
export async function endFailing(ctx: Ctx, endpointId: number): Promise<boolean> {
  const ended = await ctx.db
    .updateTable("webhooks")
    .set({ failing_since: null })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", endpointId)
    .where("failing_since", "is not", null)
    .returning("id")
    .executeTakeFirst();
  return ended !== undefined;
}

/** The endpoint failed. Returns since when it does, and whether this was the first time. */
export async function noteFailing(
  ctx: Ctx,
  endpointId: number,
): Promise<{ readonly since: Date; readonly isNew: boolean } | undefined> {
  const now = ctx.now();
  const { rows } = await sql<{ since: Date }>`
    update webhooks set failing_since = coalesce(failing_since, ${now})
    where company_id = ${ctx.companyId} and id = ${endpointId} and is_active returning failing_since as since`.execute(
    ctx.db,
  );
  const [row] = rows;
  return row && { since: row.since, isNew: row.since.getTime() === now.getTime() };
}

/** Switches an endpoint off. False if it was off already. */
export async function switchOff(ctx: Ctx, endpointId: number, why: "failing" | "gone"): Promise<boolean> {
  const off = await ctx.db
    .updateTable("webhooks")
    .set({ is_active: false, switched_off: why })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", endpointId)
    .where("is_active", "=", true)
    .returning("id")
    .executeTakeFirst();
  return off !== undefined;
}

export interface AdminAddress {
  readonly name: string;
  readonly email: string;
  readonly language: Language;
}

/** Who is told: the company's admins. Nobody who is only invited: their address may be mistyped, and a stranger's. */
export async function findAdmins(ctx: Ctx): Promise<AdminAddress[]> {
  return ctx.db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .select(["users.name", "users.email", "companies.language"])
    .where("users.company_id", "=", ctx.companyId)
    .where("users.profile", "=", "admin")
    .where(sql<boolean>`${sql.raw(hasEnteredSql("users.id"))}`)
    .orderBy("users.id")
    .execute();
}
