import { sql } from "kysely";
import type { Insertable, Kysely, RawBuilder } from "kysely";
import { namesOneOf } from "../db/index.ts";
import type { Database } from "../db/index.ts";
import type { AuditLogTable } from "./audit.tables.ts";

export type NewAuditRow = Omit<Insertable<AuditLogTable>, "id" | "seq" | "hash">;

export async function insertAuditRow(db: Kysely<Database>, row: NewAuditRow): Promise<void> {
  await sql`${auditInsert(row)}`.execute(db);
}

/**
 * `insert into audit_log …` as SQL, for a common table expression of a statement that writes other things too; with `from`
 * (`from opened where ended is not null`) it depends on their outcome.
 */
export function auditInsert(row: NewAuditRow, from: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`insert into audit_log (company_id, at, actor_kind, user_id, user_name, action, target_type, target_id,
      target_name, contact_id, details, address, user_agent, salt, personal_hash)
    select ${row.company_id}::int, ${row.at}::timestamptz, ${row.actor_kind}::text, ${row.user_id}::int,
      ${row.user_name}::text, ${row.action}::text, ${row.target_type}::text, ${row.target_id}::text,
      ${row.target_name}::text, ${row.contact_id}::int, ${JSON.stringify(row.details)}::jsonb, ${row.address}::text,
      ${row.user_agent}::text, ${row.salt}::bytea, ${row.personal_hash}::bytea ${from}`;
}

/** A row as the chain covers it. */
export interface ChainRow {
  readonly id: string;
  readonly company_id: number;
  /** Microseconds since 1970. */
  readonly at: string;
  readonly actor_kind: string;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly action: string;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly contact_id: number | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly salt: Buffer | null;
  readonly personal_hash: Buffer;
  readonly seq: string | null;
  readonly hash: Buffer | null;
  readonly erased_contact_id: number | null;
}

const chainColumns = sql`id::text, company_id, (extract(epoch from at) * 1000000)::bigint::text as at, actor_kind, user_id,
  user_name, action, target_type, target_id, target_name, contact_id, details, address, user_agent, salt, personal_hash,
  seq::text, hash, erased_contact_id`;

/** Companies with rows that are not chained yet. */
export async function findUnchainedCompanies(db: Kysely<Database>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from companies c where exists (
      select from audit_log a where a.company_id = c.id and a.seq is null) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Companies that have a chain, or had one: a check must miss a chain of which nothing is left. */
export async function findChainedCompanies(db: Kysely<Database>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from companies c where exists (select from audit_heads h where h.company_id = c.id)
      or exists (select from audit_log a where a.company_id = c.id and a.seq is not null) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function findUnchained(db: Kysely<Database>, companyId: number, limit: number): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`select ${chainColumns} from audit_log
    where company_id = ${companyId} and seq is null order by audit_log.id limit ${limit}`.execute(db);
  return rows;
}

/** Chained rows after a number, by number. */
export async function findChainAfter(
  db: Kysely<Database>,
  companyId: number,
  seq: string,
  limit: number,
): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`select ${chainColumns} from audit_log
    where company_id = ${companyId} and seq > ${seq}::bigint order by audit_log.seq limit ${limit}`.execute(db);
  return rows;
}

export interface HeadRow {
  readonly seq: string;
  readonly hash: Buffer;
  readonly signature: string;
}

/** The head of a company's chain, locked until the transaction ends; undefined before its first row. */
export async function lockHead(db: Kysely<Database>, companyId: number): Promise<HeadRow | undefined> {
  const { rows } = await sql<HeadRow>`select seq::text, hash, signature from audit_heads
    where company_id = ${companyId} for update`.execute(db);
  return rows[0];
}

/** Keeps two processes from beginning one chain: there is no row to lock yet. */
export async function lockChain(db: Kysely<Database>, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('audit chain'), ${companyId}::int)`.execute(db);
}

export async function saveChain(
  db: Kysely<Database>,
  rows: readonly { readonly id: string; readonly seq: string; readonly hash: Buffer }[],
): Promise<void> {
  await sql`update audit_log a set seq = c.seq, hash = c.hash
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ seq }) => seq)}::bigint[],
      ${rows.map(({ hash }) => hash)}::bytea[]) as c(id, seq, hash)
    where a.id = c.id and a.seq is null`.execute(db);
}

export async function saveHead(db: Kysely<Database>, companyId: number, head: HeadRow): Promise<void> {
  await sql`insert into audit_heads (company_id, seq, hash, signature)
    values (${companyId}, ${head.seq}::bigint, ${head.hash}, ${head.signature})
    on conflict (company_id) do update set seq = excluded.seq, hash = excluded.hash, signature = excluded.signature`.execute(
    db,
  );
}

/** The number of a row behind the end of the chain, if there is one. */
export async function findBehindHead(
  db: Kysely<Database>,
  companyId: number,
  seq: string,
): Promise<ChainRow | undefined> {
  return (await findChainAfter(db, companyId, seq, 1))[0];
}

/** Contacts whose erasure was asked for behind this end of the chain: not chained yet, or chained since. */
export async function findErasureRequestsBehind(
  db: Kysely<Database>,
  companyId: number,
  seq: string,
): Promise<number[]> {
  const { rows } = await sql<{ contactId: number }>`select distinct target_id::int as "contactId" from audit_log
    where company_id = ${companyId} and action = 'privacy.erasure-requested' and target_type = 'contact'
      and (seq is null or seq > ${seq}::bigint)`.execute(db);
  return rows.map(({ contactId }) => contactId);
}

/** Notes what the check found; null: nothing. */
export async function saveCheck(
  db: Kysely<Database>,
  companyId: number,
  checkedAt: Date,
  fault: object | null,
): Promise<void> {
  await sql`update audit_heads set checked_at = ${checkedAt}, fault = ${fault && JSON.stringify(fault)}::jsonb
    where company_id = ${companyId}`.execute(db);
}

/** What is said of these is not a customer's to erase: a contact with a colleague's e-mail would empty what tells of that colleague. */
const neverOfContacts = ["user", "company", "setting", "plan", "invoice", "api-key", "webhook", "connection", "queue"];

/** Empties what rows say of a contact: those that are about it, and those that name one of its words. Returns how many. */
export async function emptyAuditOfContact(
  db: Kysely<Database>,
  companyId: number,
  contactId: number,
  words: readonly string[],
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`update audit_log set target_name = null, details = '{}', salt = null,
      erased_contact_id = ${contactId}
    where id in (select a.id from audit_log a where a.company_id = ${companyId} and a.salt is not null
      and (a.contact_id = ${contactId} or (coalesce(a.target_type, '') <> all(${[...neverOfContacts]}::text[])
        and ${namesOneOf(sql`concat_ws(' ', a.target_name, a.details::text)`, words)}))
      limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
