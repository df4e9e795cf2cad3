import { sql } from "kysely";
import type { Insertable, Kysely, RawBuilder } from "kysely";
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
