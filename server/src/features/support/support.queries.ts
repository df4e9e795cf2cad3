import type { Ctx } from "#server/platform/ctx.ts";
import { sql } from "kysely";
import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "./support.tables.ts";

/** Requests and consents of one company are changed one after the other. */
export async function lockSupport(tx: SystemTx, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('support'), ${companyId}::int)`.execute(tx.db);
}

export interface OpenGrantRow {
  readonly id: number;
  readonly asked_by_name: string | null;
  readonly asked_at: Date | null;
  readonly reason: string;
  readonly granted_by_name: string | null;
  readonly granted_at: Date | null;
  readonly until: Date | null;
}

/** The consent that lasts and the open request of a company: each at most one. */
export async function findOpenGrants(
  { db }: Pick<Ctx | SystemTx, "db">,
  companyId: number,
  now: Date,
): Promise<OpenGrantRow[]> {
  return db
    .selectFrom("support_grants")
    .select(["id", "asked_by_name", "asked_at", "reason", "granted_by_name", "granted_at", "until"])
    .where("company_id", "=", companyId)
    .where("ended_at", "is", null)
    .where((where) => where.or([where("until", "is", null), where("until", ">", now)]))
    .execute();
}

/** Who is in the company as support. */
export async function findPresent(ctx: Ctx): Promise<{ name: string; since: Date }[]> {
  return ctx.db
    .selectFrom("support_sessions as s")
    .innerJoin("support_grants as g", "g.id", "s.grant_id")
    .select(["s.operator_name as name", "s.began_at as since"])
    .where("s.company_id", "=", ctx.companyId)
    .where("s.ended_at", "is", null)
    .where("g.ended_at", "is", null)
    .where("g.until", ">", ctx.now())
    .orderBy("s.began_at")
    .limit(20)
    .execute();
}

/** A consent whose time is over makes place for the next one. */
export async function endExpired(tx: SystemTx, companyId: number, now: Date): Promise<void> {
  await sql`update support_grants set ended_at = until
    where company_id = ${companyId} and ended_at is null and until <= ${now}`.execute(tx.db);
}

export interface Consent {
  readonly granted_by: number;
  readonly granted_by_name: string;
  readonly granted_at: Date;
  readonly until: Date;
}

export async function insertConsent(tx: SystemTx, companyId: number, consent: Consent): Promise<number> {
  const { id } = await tx.db
    .insertInto("support_grants")
    .values({ company_id: companyId, ...consent })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveConsent(tx: SystemTx, id: number, consent: Consent): Promise<void> {
  await tx.db.updateTable("support_grants").set(consent).where("id", "=", id).execute();
}

export interface Request {
  readonly asked_by: number;
  readonly asked_by_name: string;
  readonly asked_at: Date;
  readonly reason: string;
}

export async function saveRequest(tx: SystemTx, companyId: number, request: Request): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into support_grants (company_id, asked_by, asked_by_name, asked_at, reason)
    values (${companyId}, ${request.asked_by}, ${request.asked_by_name}, ${request.asked_at}, ${request.reason})
    on conflict (company_id) where granted_at is null and ended_at is null do update
      set asked_by = excluded.asked_by, asked_by_name = excluded.asked_by_name, asked_at = excluded.asked_at,
        reason = excluded.reason
    returning id`.execute(tx.db);
  return rows[0]!.id;
}

/** Ends a consent or a request of the company; undefined where it is over already, or another's. */
export async function endGrant(
  tx: SystemTx,
  companyId: number,
  id: number,
  now: Date,
): Promise<{ wasGranted: boolean } | undefined> {
  const row = await tx.db
    .updateTable("support_grants")
    .set({ ended_at: now })
    .where("id", "=", id)
    .where("company_id", "=", companyId)
    .where("ended_at", "is", null)
    .returning("granted_at")
    .executeTakeFirst();
  return row && { wasGranted: row.granted_at !== null };
}

/** A company that is not deleted. */
export async function findEnteredCompany(
  tx: SystemTx,
  id: number,
): Promise<{ name: string; is_active: boolean } | undefined> {
  return tx.db
    .selectFrom("companies")
    .select(["name", "is_active"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}
