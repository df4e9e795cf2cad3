import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";

/** One process at a time seeds the demo, until the end of this transaction. Reentrant; a repeated call resets the idle timeout. */
export async function lockDemoSeed(tx: SystemTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(tx.db);
}

/** Storage keys of the company's files. */
export async function fileKeysOf(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select storage_key as key from media where company_id = ${ctx.companyId} and storage_key is not null
    union select media_path from queue_options where company_id = ${ctx.companyId} and media_path is not null`.execute(
    ctx.db,
  );
  return rows.map(({ key }) => key);
}

export async function lineIdsOf(ctx: Ctx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from connections where company_id = ${ctx.companyId}`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** The one ticket of the contact that has this number (or is the group of this id) on the demo's line. */
export async function ticketIdOf(ctx: Ctx, number: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t join contacts c on c.id = t.contact_id where c.number = ${number}`.execute(ctx.db);
  return firstOrThrow(rows).id;
}

export async function waIdOf(ctx: Ctx, messageId: number): Promise<string> {
  const { rows } = await sql<{ wa_id: string }>`select wa_id from messages where id = ${messageId}`.execute(ctx.db);
  return firstOrThrow(rows).wa_id;
}

export async function messageIdOf(ctx: Ctx, waId: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from messages where wa_id = ${waId}`.execute(ctx.db);
  return firstOrThrow(rows).id;
}

function firstOrThrow<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) {
    throw new Error("A demo conversation refers to a row that was not seeded");
  }
  return row;
}

/** The simulator connection of the demo. */
export interface DemoLine {
  readonly id: number;
  readonly companyId: number;
  readonly hasScriptedCustomers: boolean;
  /** Nobody has scanned its QR yet, or requested another one. */
  readonly wasNeverLinked: boolean;
}

/** Undefined where the company has no simulator line any more. */
export async function findDemoLine(db: Db, company: string): Promise<DemoLine | undefined> {
  const { rows } = await sql<DemoLine>`
    select l.id, l.company_id as "companyId", l.is_lively as "hasScriptedCustomers",
      l.wanted = 'up' and l.number is null and l.session_round = 0 as "wasNeverLinked"
    from connections l join companies c on c.id = l.company_id
    where c.name = ${company} and l.provider = 'simulator' order by l.id limit 1`.execute(db.system);
  return rows[0];
}

/** The one open invoice of the company. */
export async function openInvoiceOf(tx: Pick<SystemTx, "db">, companyId: number): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom("invoices")
    .select("id")
    .where("company_id", "=", companyId)
    .where("status", "=", "open")
    .executeTakeFirst();
  return row?.id;
}
