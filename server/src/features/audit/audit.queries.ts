import type { AuditFilters } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "#server/platform/audit/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";

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

/** Whom a fault is mailed to. */
export async function findOperatorMails(tx: SystemTx): Promise<OperatorMail[]> {
  return tx.db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .select(["users.email", "users.name", "users.company_id as companyId", "companies.language"])
    .where("is_super", "=", true)
    .orderBy("users.id")
    .limit(20)
    .execute();
}

export interface OperatorMail {
  readonly email: string;
  readonly name: string;
  readonly companyId: number;
  readonly language: Language;
}

export async function findCompanyName(tx: SystemTx, id: number): Promise<string> {
  const row = await tx.db.selectFrom("companies").select("name").where("id", "=", id).executeTakeFirst();
  return row?.name ?? "";
}
