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

/** Over all companies; a status that no line has is listed with 0. */
export async function countLinesByStatus(db: Db): Promise<readonly { status: ConnectionStatus; count: number }[]> {
  const { rows } = await sql<{ status: ConnectionStatus; count: number }>`
    select status, count(c.id) as count from unnest(${[...connectionStatuses]}::text[]) as status
    left join connections c using (status) group by status order by status`.execute(db.system);
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

/** Renews all leases of a process by one statement. Returns the connections that it still owns. */
export async function renewLeases(db: Db, owner: string, connectionIds: readonly number[]): Promise<Set<number>> {
  const rows = await db.systemRaw(RENEW, [owner, LEASE_SECONDS, connectionIds]);
  return new Set(rows.map((row) => row.connection_id));
}

export async function releaseLeases(db: Db, owner: string, connectionIds: readonly number[]): Promise<void> {
  await db.system
    .deleteFrom("line_leases")
    .where("owner", "=", owner)
    .where("connection_id", "in", [...connectionIds])
    .execute();
}

/** Does this process still own the line? Locks the lease until the transaction ends, so that a take-over waits for it. */
export async function holdLease(ctx: Ctx, connectionId: number, owner: string): Promise<boolean> {
  const rows = await ctx.raw(HOLD, [connectionId, owner]);
  return rows.length > 0;
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
  text: `update line_leases set leased_until = clock_timestamp() + make_interval(secs => $2::int)
    where owner = $1 and connection_id = any($3::int[]) returning connection_id`,
};
const HOLD: Statement<{ owner: string }> = {
  name: "line_leases_hold",
  text: "select owner from line_leases where connection_id = $1 and owner = $2 for share",
};
