import type { CompanyExport } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";
import type {} from "./company-exports.tables.ts";

export interface CompanyExportRow {
  readonly id: number;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly state: CompanyExport["state"];
  readonly failure: CompanyExport["failure"];
  readonly done: number;
  readonly total: number;
  readonly storage_key: string | null;
  readonly size: number | null;
  readonly requested_at: Date;
  readonly finished_at: Date | null;
  readonly expires_at: Date | null;
}

const columns = sql`e.id, e.user_id, e.state, e.failure, e.done::float8 as done, e.total::float8 as total, e.storage_key,
  e.size::float8 as size, e.requested_at, e.finished_at, e.expires_at,
  (select name from users u where u.company_id = e.company_id and u.id = e.user_id) as user_name`;
const isOpen = sql`state in ('waiting', 'running')`;

/** The latest first; the few that still lie. */
export async function findExports(ctx: Ctx): Promise<CompanyExportRow[]> {
  const { rows } = await sql<CompanyExportRow>`select ${columns} from company_exports e
    where company_id = ${ctx.companyId} order by id desc limit 20`.execute(ctx.db);
  return rows;
}

export async function findExport(ctx: Ctx, id: number): Promise<CompanyExportRow | undefined> {
  const { rows } = await sql<CompanyExportRow>`select ${columns} from company_exports e
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.db);
  return rows[0];
}

/** Undefined where one is being written already. */
export async function insertExport(ctx: Ctx, userId: number | null): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`insert into company_exports (company_id, user_id, requested_at)
    values (${ctx.companyId}, ${userId}, ${ctx.now()})
    on conflict (company_id) where state in ('waiting', 'running') do nothing returning id`.execute(ctx.db);
  return rows[0]?.id;
}

export async function findOpenExport(ctx: Ctx): Promise<CompanyExportRow | undefined> {
  const { rows } = await sql<CompanyExportRow>`select ${columns} from company_exports e
    where company_id = ${ctx.companyId} and ${isOpen}`.execute(ctx.db);
  return rows[0];
}

/** False where it was cancelled, or has ended: what was written so far is nobody's then. */
export async function saveProgress(ctx: Ctx, id: number, done: number, total: number): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`update company_exports set state = 'running', done = ${done}, total = ${total}
    where company_id = ${ctx.companyId} and id = ${id} and ${isOpen}`.execute(ctx.db);
  return numAffectedRows > 0n;
}

/** False as `saveProgress`. */
export async function finishExport(
  ctx: Ctx,
  id: number,
  file: { readonly key: string; readonly size: number; readonly done: number; readonly expiresAt: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update company_exports
    set state = 'finished', storage_key = ${file.key}, size = ${file.size}, done = ${file.done}, total = ${file.done},
      finished_at = ${ctx.now()}, expires_at = ${file.expiresAt}
    where company_id = ${ctx.companyId} and id = ${id} and ${isOpen}`.execute(ctx.db);
  return numAffectedRows > 0n;
}

/** Ends one that is being written, without a file; its row goes with the others whose time is over. */
export async function endExport(
  ctx: Ctx,
  id: number,
  end: {
    readonly state: "failed" | "cancelled";
    readonly failure: CompanyExport["failure"];
    readonly expiresAt: Date;
  },
): Promise<void> {
  await sql`update company_exports set state = ${end.state}, failure = ${end.failure}, finished_at = ${ctx.now()},
      expires_at = ${end.expiresAt}
    where company_id = ${ctx.companyId} and id = ${id} and ${isOpen}`.execute(ctx.db);
}

type Which = "finished" | { readonly id: number } | { readonly before: Date } | { readonly olderThan: number };

/** Deletes archives that are not being written; returns how many rows, and their files. */
export async function deleteExports(
  ctx: Ctx,
  which: Which,
  limit: number,
): Promise<{ readonly rows: number; readonly files: string[] }> {
  const condition =
    which === "finished"
      ? sql`state = 'finished'`
      : "id" in which
        ? sql`id = ${which.id}`
        : "before" in which
          ? sql`expires_at < ${which.before}`
          : sql`id < ${which.olderThan}`;
  const { rows } = await sql<{ key: string | null }>`delete from company_exports where id in (
    select id from company_exports where company_id = ${ctx.companyId} and not (${isOpen}) and ${condition} limit ${limit})
    returning storage_key as key`.execute(ctx.db);
  return { rows: rows.length, files: rows.flatMap(({ key }) => key ?? []) };
}

export async function findCompaniesWithExpired(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct company_id as id from company_exports
    where expires_at < ${now}`.execute(db.system);
  return rows.map(({ id }) => id);
}

export async function findReferencedArchives(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select storage_key as key from company_exports
    where company_id = ${ctx.companyId} and storage_key = any(${keys}::text[])`.execute(ctx.db);
  return rows.map(({ key }) => key);
}

/** Those whose time is not over. */
export async function findServedArchives(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select storage_key as key from company_exports
    where company_id = ${ctx.companyId} and storage_key = any(${keys}::text[]) and expires_at > ${ctx.now()}`.execute(
    ctx.db,
  );
  return rows.map(({ key }) => key);
}

export interface ExportReader {
  readonly email: string;
  readonly name: string;
  readonly companyName: string;
  readonly language: Language;
}

/** Who is told that the archive of `userId` lies there. */
export async function findReader(ctx: Ctx, userId: number): Promise<ExportReader | undefined> {
  const { rows } = await sql<ExportReader>`select u.email, u.name, c.name as "companyName", c.language
    from users u join companies c on c.id = u.company_id
    where u.company_id = ${ctx.companyId} and u.id = ${userId}`.execute(ctx.db);
  return rows[0];
}
