import { sql } from "kysely";
import type { Statement, SystemTx } from "#server/platform/db/index.ts";
import { companyOfSession, companyOfSessionUser } from "../auth.queries.ts";
import type { CompanyOfSessionRow, SessionUserRow } from "../auth.queries.ts";

/** A support session lasts as long as all of this: the consent, the operator's own session, their rank and their company. */
const isLive = `s.ended_at is null and g.ended_at is null and g.until > $1 and h.ended_at is null and h.expires_at > $1
  and o.is_super and oc.is_active and oc.deleted_at is null and c.deleted_at is null`;
const joined = `support_sessions s join support_grants g on g.id = s.grant_id join sessions h on h.id = s.home_session_id
  join users o on o.id = s.operator_id join companies oc on oc.id = o.company_id join companies c on c.id = s.company_id`;

export interface LiveSupportRow extends CompanyOfSessionRow {
  readonly name: string;
  readonly grant_id: number;
  readonly home_session_id: string;
  readonly until: Date;
  readonly queue_ids: readonly number[];
}

/** The session with all that its rights depend on; $1 now, $2 its id, $3 the operator, $4 the company. */
export const liveSupportStatement: Statement<LiveSupportRow> = {
  name: "live_support_session",
  text: `select o.name, s.grant_id, s.home_session_id, g.until,
      array(select q.id from queues q where q.company_id = c.id order by 1)::int[] as queue_ids, ${companyOfSession}
    from ${joined} left join plans p on p.id = c.plan_id
    where ${isLive} and s.id = $2::uuid and s.operator_id = $3 and s.company_id = $4`,
};

/** The live support session that was entered from a session, $2. */
export const supportOfHomeStatement: Statement<{ id: string; company_id: number; operator_id: number }> = {
  name: "support_session_of_home",
  text: `select s.id, s.company_id, s.operator_id from ${joined} where ${isLive} and s.home_session_id = $2::uuid`,
};

export interface SupportUserRow extends SessionUserRow {
  readonly until: Date;
}

/** What the browser learns about the operator in the company, $3, with all of its queues. */
export const supportUserStatement: Statement<SupportUserRow> = {
  name: "support_session_user",
  text: `select o.id, o.name, o.email, 'admin' as profile, false as is_super, true as all_ticket, null::int as connection_id,
      coalesce((select json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.order_queue, q.id)
        from queues q where q.company_id = c.id), '[]') as queues,
      ${companyOfSessionUser} as company,
      coalesce((select json_agg(json_build_object('key', t.key, 'value', t.value)) from settings t
        where t.company_id = c.id), '[]') as settings,
      case when p.id is not null then to_json(p) end as plan, g.until
    from ${joined} left join plans p on p.id = c.plan_id
    where ${isLive} and s.id = $2::uuid and s.company_id = $3`,
};

export interface NewSupportSession {
  readonly id: string;
  readonly company_id: number;
  readonly grant_id: number;
  readonly operator_id: number;
  readonly operator_name: string;
  readonly home_session_id: string;
  readonly began_at: Date;
}

export async function insertSupportSession(tx: SystemTx, session: NewSupportSession): Promise<void> {
  await tx.db.insertInto("support_sessions").values(session).execute();
}

export interface EndedSupportSession {
  readonly id: string;
  readonly company_id: number;
  readonly grant_id: number;
  readonly operator_id: number;
  readonly operator_name: string;
}

export type SupportFilter =
  | { readonly id: string }
  | { readonly homeSessionId: string }
  | { readonly grantId: number }
  /** Those that nothing has ended yet, though they are over. */
  | "over";

/** Ends open support sessions; returns those that were open. */
export async function endSupportRows(tx: SystemTx, which: SupportFilter, now: Date): Promise<EndedSupportSession[]> {
  const chosen =
    which === "over"
      ? sql`not exists (select from support_grants g, sessions h, users o, companies oc, companies c
          where g.id = s.grant_id and h.id = s.home_session_id and o.id = s.operator_id and oc.id = o.company_id
            and c.id = s.company_id and g.ended_at is null and g.until > ${now} and h.ended_at is null
            and h.expires_at > ${now} and o.is_super and oc.is_active and c.deleted_at is null)`
      : "id" in which
        ? sql`s.id = ${which.id}::uuid`
        : "homeSessionId" in which
          ? sql`s.home_session_id = ${which.homeSessionId}::uuid`
          : sql`s.grant_id = ${which.grantId}`;
  const { rows } = await sql<EndedSupportSession>`
    update support_sessions s set ended_at = ${now} where s.ended_at is null and ${chosen}
    returning s.id, s.company_id, s.grant_id, s.operator_id, s.operator_name`.execute(tx.db);
  return rows;
}

/** The operator's own session from which a support session was entered. */
export async function findHomeOf(tx: SystemTx, id: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom("support_sessions")
    .select("home_session_id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.home_session_id;
}
