import type { AuditFilters } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "#server/platform/audit/index.ts";

export interface AuditRow {
  readonly id: string;
  readonly seq: string | null;
  readonly at: Date;
  readonly actor_kind: string;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly action: string;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly details: Record<string, unknown>;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly is_erased: boolean;
}

/** Entries before an id, the latest first; "" is from the latest on. */
export async function findAudit(
  ctx: Ctx,
  { userId, action, targetType, targetId, dateFrom, dateTo }: AuditFilters,
  before: string,
  limit: number,
): Promise<AuditRow[]> {
  const midnight = (day: string, add: number) =>
    sql<Date>`(select (${day}::date + ${add}::int)::timestamp at time zone time_zone from companies
      where id = ${ctx.companyId})`;
  let query = ctx.db
    .selectFrom("audit_log")
    .select([
      sql<string>`id::text`.as("id"),
      sql<string | null>`seq::text`.as("seq"),
      "at",
      "actor_kind",
      "user_id",
      "user_name",
      "action",
      "target_type",
      "target_id",
      "target_name",
      "details",
      "address",
      "user_agent",
      sql<boolean>`salt is null`.as("is_erased"),
    ])
    .where("company_id", "=", ctx.companyId)
    .orderBy("audit_log.id", "desc")
    .limit(limit);
  if (before !== "") {
    query = query.where("audit_log.id", "<", before);
  }
  if (userId !== 0) {
    query = query.where("user_id", "=", userId);
  }
  if (action !== "") {
    query = query.where("action", "=", action);
  }
  if (targetType !== "") {
    query = query.where("target_type", "=", targetType);
  }
  if (targetId !== "") {
    query = query.where("target_id", "=", targetId);
  }
  if (dateFrom !== "") {
    query = query.where("at", ">=", midnight(dateFrom, 0));
  }
  if (dateTo !== "") {
    query = query.where("at", "<", midnight(dateTo, 1));
  }
  return query.execute();
}

export interface CheckRow {
  readonly checked_at: Date | null;
  readonly seq: string;
  readonly fault: Record<string, unknown> | null;
}

export async function findCheck(ctx: Ctx): Promise<CheckRow | undefined> {
  return ctx.db
    .selectFrom("audit_heads")
    .select(["checked_at", "seq", "fault"])
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
}
