import type { Plan, Profile } from "@prosa/contract";
import { sql } from "kysely";
import type { Db, Statement, SystemTx } from "#server/platform/db/index.ts";
import type { PlanRow } from "#server/features/plans/index.ts";
import type {} from "./auth.tables.ts";

export interface AccountRow {
  readonly id: number;
  readonly company_id: number;
  readonly name: string;
  readonly email: string;
  readonly password_hash: string;
  readonly profile: Profile;
  readonly is_super: boolean;
  readonly is_active: boolean;
  readonly due_date: string | null;
  /** The first moment that is not paid for, by the company's clock. */
  readonly overdue_from: Date | null;
  readonly language: "pt" | "en" | "es";
  readonly time_zone: string;
  /**
   * From where it was signed in to, as far back as sessions are kept. Not those that a replayed cookie
   * ended, nor any that was over when the password changed: it may have been a thief's. */
  readonly addresses: readonly string[];
}

/** What decides whether the company lets this person in. */
export type Standing = Pick<AccountRow, "profile" | "is_super" | "is_active" | "due_date" | "overdue_from">;

/** Of a user, as the machinery sees it. */
export async function findStanding(tx: SystemTx, userId: number): Promise<Standing | undefined> {
  return tx.db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .select(["profile", "is_super", "is_active", "due_date", overdueFrom])
    .where("users.id", "=", userId)
    .executeTakeFirst();
}

const overdueFrom = sql<Date | null>`(due_date + 1)::timestamp at time zone time_zone`.as("overdue_from");

/** By its e-mail, over all companies: nobody is signed in yet. */
export async function findAccount(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.system
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .select([
      "users.id",
      "users.company_id",
      "users.name",
      "users.email",
      "password_hash",
      "profile",
      "is_super",
      "is_active",
      "due_date",
      overdueFrom,
      "language",
      "time_zone",
      sql<string[]>`array(select distinct s.address from sessions s where s.user_id = users.id
        and s.address is not null and coalesce(s.ended_reason, '') not in ('password', 'reused')
        and (s.ended_at is null or users.password_changed_at is null or s.ended_at > users.password_changed_at))`.as(
        "addresses",
      ),
    ])
    .where("users.email", "=", email)
    .executeTakeFirst();
}

export interface SessionUserRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly profile: Profile;
  readonly is_super: boolean;
  readonly all_ticket: boolean;
  readonly connection_id: number | null;
  readonly queues: readonly { id: number; name: string; color: string }[];
  readonly company: {
    readonly id: number;
    readonly name: string;
    readonly email: string | null;
    readonly due_date: string | null;
    readonly trial_expiration: string | null;
    readonly time_zone: string;
  };
  readonly settings: readonly { key: string; value: string }[];
  readonly plan: PlanRow | null;
}

/** Everything that the browser learns about who signed in, in one statement. */
export const sessionUserStatement: Statement<SessionUserRow> = {
  name: "session_user",
  text: `select u.id, u.name, u.email, u.profile, u.is_super, u.all_ticket, u.connection_id,
      coalesce((select json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.order_queue, q.id)
        from user_queues uq join queues q on q.id = uq.queue_id where uq.user_id = u.id), '[]') as queues,
      json_build_object('id', c.id, 'name', c.name, 'email', c.email, 'due_date', c.due_date,
        'trial_expiration', c.trial_expiration, 'time_zone', c.time_zone) as company,
      coalesce((select json_agg(json_build_object('key', s.key, 'value', s.value)) from settings s
        where s.company_id = c.id), '[]') as settings,
      case when p.id is not null then to_json(p) end as plan
    from users u join companies c on c.id = u.company_id left join plans p on p.id = c.plan_id
    where u.id = $1`,
};

export interface LiveSessionRow {
  readonly name: string;
  readonly profile: Profile;
  readonly is_super: boolean;
  readonly all_ticket: boolean;
  readonly queue_ids: readonly number[];
  readonly is_active: boolean;
  readonly due_date: string | null;
  readonly overdue_from: Date | null;
  readonly flags: Partial<Plan> | null;
}

/** Who acts and what their company may, while the session lives: the question of every request that is not cached. */
export const liveSessionStatement: Statement<LiveSessionRow> = {
  name: "live_session",
  text: `select u.name, u.profile, u.is_super, u.all_ticket,
      array(select queue_id from user_queues uq where uq.user_id = u.id order by 1)::int[] as queue_ids,
      c.is_active, c.due_date, (c.due_date + 1)::timestamp at time zone c.time_zone as overdue_from, p.flags
    from sessions s join users u on u.id = s.user_id join companies c on c.id = s.company_id
    left join plans p on p.id = c.plan_id
    where s.id = $1 and s.user_id = $2 and s.ended_at is null and s.expires_at > $3`,
};

export interface SessionRow {
  readonly id: string;
  readonly company_id: number;
  readonly user_id: number;
  readonly refresh_hash: string;
  readonly previous_hash: string | null;
  readonly rotated_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  readonly ended_reason: string | null;
}

const sessionColumns = [
  "id",
  "company_id",
  "user_id",
  "refresh_hash",
  "previous_hash",
  "rotated_at",
  "expires_at",
  "ended_at",
  "ended_reason",
] as const;

/** Holds the row until the transaction ends: of two refreshes at once the second sees what the first did. */
export async function lockSession(tx: SystemTx, id: string): Promise<SessionRow | undefined> {
  return tx.db.selectFrom("sessions").select(sessionColumns).where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function findSession(db: Db, id: string): Promise<SessionRow | undefined> {
  return db.system.selectFrom("sessions").select(sessionColumns).where("id", "=", id).executeTakeFirst();
}

export interface NewSession {
  readonly id: string;
  readonly company_id: number;
  readonly user_id: number;
  readonly refresh_hash: string;
  readonly rotated_at: Date;
  readonly expires_at: Date;
  readonly created_at: Date;
  readonly address: string;
  readonly user_agent: string;
}

export async function insertSession(tx: SystemTx, session: NewSession): Promise<void> {
  await tx.db.insertInto("sessions").values(session).execute();
}

export async function saveRotation(
  tx: SystemTx,
  id: string,
  rotation: Pick<SessionRow, "refresh_hash" | "previous_hash" | "rotated_at" | "expires_at">,
): Promise<void> {
  await tx.db.updateTable("sessions").set(rotation).where("id", "=", id).execute();
}

/**
 * Of two sign-ins of one account at once, the second waits here and then ends the first. The hash of its password as
 * it is then: a new one may have come meanwhile. Undefined where the account is gone.
 */
export async function lockAccount(tx: SystemTx, userId: number): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.password_hash;
}

export type WhichSessions =
  | { readonly sessionId: string }
  | { readonly companyId: number }
  | { readonly userId: number; readonly except: string | null };

/** Ends one session, all of a company, or all of a user but one; returns those that were alive. */
export async function endSessions(
  tx: Pick<SystemTx, "db">,
  which: WhichSessions,
  reason: string,
  now: Date,
): Promise<{ id: string; company_id: number; user_id: number }[]> {
  const alive = tx.db
    .updateTable("sessions")
    .set({ ended_at: now, ended_reason: reason })
    .where("ended_at", "is", null)
    .returning(["id", "company_id", "user_id"]);
  if ("sessionId" in which) {
    return alive.where("id", "=", which.sessionId).execute();
  }
  if ("companyId" in which) {
    return alive.where("company_id", "=", which.companyId).execute();
  }
  return alive
    .where("user_id", "=", which.userId)
    .where(sql<boolean>`id is distinct from ${which.except}::uuid`)
    .execute();
}

/** Ended and expired ones are of no use after a while, but a replayed cookie of theirs is still known until then. */
export async function deleteSessionsBefore(db: Db, time: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${time} or ended_at < ${time}`.execute(db.system);
}
