import { sql } from "kysely";
import { connectionStatuses } from "@prosa/contract";
import type { ConnectionStatus, LineReason, Provider } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";

/** A lease expires this long after its last renewal (s); another process takes the line over within a few seconds then. */
export const LEASE_SECONDS = 10;

/** A line's desired state, as the row of its connection has it, and the owner of its lease. */
export interface DesiredLine {
  readonly id: number;
  readonly companyId: number;
  readonly provider: Provider;
  readonly wanted: "up" | "down";
  /** The connection's session_round: credentials of an earlier round are to be deleted. */
  readonly round: number;
  readonly pairingNumber: string | null;
  /** The number that the line had when it was last connected. */
  readonly number: string | null;
  readonly status: ConnectionStatus;
  readonly reason: LineReason | null;
  /** The company is not switched off. */
  readonly isCompanyActive: boolean;
  readonly isLeased: boolean;
  /** Whose lease it is, or was before it expired; null where there is none or it was released. */
  readonly owner: string | null;
}

/** The lines of all companies that are not being deleted, in one round trip. */
export async function findDesiredLines(db: Db): Promise<DesiredLine[]> {
  return db.systemRaw(FIND_DESIRED, []);
}

/** Over all companies, without those that are deleted; a status that no line has is listed with 0. */
export async function countLinesByStatus(db: Db): Promise<readonly { status: ConnectionStatus; count: number }[]> {
  const { rows } = await sql<{ status: ConnectionStatus; count: number }>`
    select status, count(c.id) as count from unnest(${[...connectionStatuses]}::text[]) as status
    left join (select id, status from connections where deleted_at is null) c using (status)
    group by status order by status`.execute(db.system);
  return rows;
}

/** Acquires the leases that are free, and takes over those that have expired. Returns the connections acquired. */
export async function acquireLeases(db: Db, owner: string, connectionIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ connection_id: number }>`
    insert into line_leases (connection_id, company_id, owner, leased_until)
    select id, company_id, ${owner}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    from connections where id = any(${[...connectionIds]}::int[]) order by id
    on conflict (connection_id) do update set owner = excluded.owner, leased_until = excluded.leased_until
    where line_leases.leased_until < clock_timestamp()
    returning connection_id`.execute(db.system);
  return new Set(rows.map((row) => row.connection_id));
}

/**
 * Renews leases of a process by one statement. Returns the connections whose lease was renewed: those that are locked, by a
 * commit or a deletion, are left out, so that the others do not wait with them.
 */
export async function renewLeases(db: Db, owner: string, connectionIds: readonly number[]): Promise<Set<number>> {
  const rows = await db.systemRaw(RENEW, [owner, LEASE_SECONDS, connectionIds]);
  return new Set(rows.map((row) => row.connection_id));
}

/** Renews one lease, and waits for whoever has locked it. False: this process does not own it any more. */
export async function renewLockedLease(db: Db, owner: string, connectionId: number): Promise<boolean> {
  const rows = await db.systemRaw(RENEW_LOCKED, [owner, LEASE_SECONDS, connectionId]);
  return rows.length > 0;
}

export async function releaseLeases(db: Db, owner: string, connectionIds: readonly number[]): Promise<void> {
  await db.system
    .deleteFrom("line_leases")
    .where("owner", "=", owner)
    .where("connection_id", "in", [...connectionIds])
    .execute();
}

/**
 * Does this process still own the line, and is its connection deleted? Locks the lease until the transaction ends, so that a
 * take-over waits for it.
 */
export async function holdLease(
  ctx: Ctx,
  connectionId: number,
  owner: string,
): Promise<{ readonly isHeld: boolean; readonly isDeleted: boolean }> {
  const [row] = await ctx.raw(HOLD, [connectionId, owner]);
  return { isHeld: row !== undefined, isDeleted: row?.isDeleted ?? false };
}

const FIND_DESIRED: Statement<DesiredLine> = {
  name: "lines_find_desired",
  text: `select c.id, c.company_id as "companyId", c.provider, c.wanted, c.session_round as round,
      c.pairing_number as "pairingNumber", c.number, c.status, c.reason, companies.is_active as "isCompanyActive",
      coalesce(l.leased_until >= clock_timestamp(), false) as "isLeased", l.owner
    from connections c join companies on companies.id = c.company_id and companies.deleted_at is null
    left join line_leases l on l.connection_id = c.id
    order by c.id`,
};
const RENEW: Statement<{ connection_id: number }> = {
  name: "line_leases_renew",
  text: `with free as materialized (
      select connection_id from line_leases where owner = $1 and connection_id = any($3::int[])
      for no key update skip locked)
    update line_leases l set leased_until = clock_timestamp() + make_interval(secs => $2::int)
    from free where l.connection_id = free.connection_id returning l.connection_id`,
};
const RENEW_LOCKED: Statement<{ connection_id: number }> = {
  name: "line_leases_renew_locked",
  text: `update line_leases set leased_until = clock_timestamp() + make_interval(secs => $2::int)
    where owner = $1 and connection_id = $3 returning connection_id`,
};
// Row-level security hides a deleted connection.
const HOLD: Statement<{ isDeleted: boolean }> = {
  name: "line_leases_hold",
  text: `select not exists (select from connections c where c.id = l.connection_id) as "isDeleted"
    from line_leases l where l.connection_id = $1 and l.owner = $2 for share of l`,
};
