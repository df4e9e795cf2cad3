import type { Plan, Profile } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { auditInsert } from "#server/platform/audit/index.ts";
import type { NewAuditRow } from "#server/platform/audit/index.ts";
import type { DomainEvent } from "#server/platform/ctx.ts";
import type { Clock } from "#server/platform/clock/index.ts";
import { namedByText, overdueFromSql } from "#server/platform/db/index.ts";
import type { Db, Statement, SystemTx } from "#server/platform/db/index.ts";
import { giveBackTokens, spendTokens, tokensNow } from "#server/platform/http/index.ts";
import type { GivenBack, SharedBucket } from "#server/platform/http/index.ts";
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
  /** The end of the due date and the operator's days of grace in the company's time zone: from then on the company is closed. */
  readonly overdue_from: Date | null;
  readonly language: Language;
  readonly time_zone: string;
  /**
   * Addresses that the account signed in from, as far back as sessions are kept. Without sessions that a replayed cookie
   * ended, and those that were over when the password changed: they may have been an attacker's.
   */
  readonly addresses: readonly string[];
  /** Signed up, and has not confirmed the e-mail (A-09). */
  readonly is_unconfirmed: boolean;
  readonly has_second_factor: boolean;
  /** The company requires one (V-03). */
  readonly must_use_second_factor: boolean;
}

/** What decides whether a person may use their company's account. */
export type CompanyAccess = Pick<AccountRow, "profile" | "is_super" | "is_active" | "due_date" | "overdue_from">;

/** By user id, over all companies. */
export async function findCompanyAccess(tx: SystemTx, userId: number): Promise<CompanyAccess | undefined> {
  return tx.db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .select(["profile", "is_super", "is_active", "due_date", overdueFrom])
    .where("users.id", "=", userId)
    .executeTakeFirst();
}

const overdueFrom = sql.raw<Date | null>(overdueFromSql("companies")).as("overdue_from");

/** By its e-mail, over all companies: nobody is signed in yet. */
export async function findAccount(db: Db, email: string): Promise<AccountRow | undefined> {
  return accountOf(db, email).executeTakeFirst();
}

export interface AccountAttempt {
  readonly account: AccountRow | undefined;
  /** How many of the buckets, in their order, gave their token. */
  readonly spent: number;
  readonly isUnderAttack: boolean;
}

/** Counts an attempt and reads its account: one statement, with an account or without. */
export async function attemptOnAccount(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  attempt: {
    readonly email: string;
    /** The bucket of the account over all addresses; while it is empty, those of the account cost more. */
    readonly account: SharedBucket;
    readonly addressBuckets: readonly SharedBucket[];
    readonly accountBuckets: readonly SharedBucket[];
    readonly costUnderAttack: number;
  },
): Promise<AccountAttempt> {
  const { email, account, addressBuckets, accountBuckets, costUnderAttack } = attempt;
  const cost = sql<number>`(select case when "isUnderAttack" then ${costUnderAttack}::float8 else 1 end from attack)`;
  const buckets = [...addressBuckets, ...accountBuckets.map((bucket) => ({ ...bucket, cost }))];
  const [found] = await run<{ id: number | null; spent: number; isUnderAttack: boolean } & Omit<AccountRow, "id">>(
    db,
    sql`
    with attack as materialized (select ${tokensNow({ clock }, account)} < 1 as "isUnderAttack"),
      ${spendTokens({ clock }, buckets)}
    select attack.*, (select count(*) from spent)::int as spent, a.*
    from attack left join (${accountOf(db, email)}) a on true`,
  );
  const { spent, isUnderAttack, id, ...row } = found!;
  return { spent, isUnderAttack, account: id === null ? undefined : { id, ...row } };
}

/** As a named statement: planning those of a sign-in takes four times as long as running them (decision 0184). */
function run<Row>(db: Pick<Db, "system" | "systemRaw">, query: RawBuilder<unknown>): Promise<Row[]> {
  const { sql: text, parameters } = query.compile(db.system);
  return db.systemRaw<Row>(namedByText("sign_in", text), parameters);
}

function accountOf(db: Db, email: string) {
  return accounts(db).where("users.email", "=", email);
}

/** By its id, over all companies: between the steps of a sign-in. */
export async function findAccountById(db: Pick<Db, "system">, id: number): Promise<AccountRow | undefined> {
  return accounts(db).where("users.id", "=", id).executeTakeFirst();
}

function accounts(db: Pick<Db, "system">) {
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
      sql<boolean>`exists (select from email_confirmations e where e.user_id = users.id)`.as("is_unconfirmed"),
      sql<boolean>`(exists (select from second_factors f where f.user_id = users.id and f.confirmed_at is not null)
        or exists (select from passkeys k where k.user_id = users.id))`.as("has_second_factor"),
      sql<boolean>`exists (select from settings s where s.company_id = users.company_id and s.key = 'requireTwoFactor'
        and s.value = 'enabled')`.as("must_use_second_factor"),
    ]);
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
    /** See AccountRow; as JSON writes it. */
    readonly overdue_from: string | null;
    readonly trial_expiration: string | null;
    readonly time_zone: string;
  };
  readonly settings: readonly { key: string; value: string }[];
  readonly plan: PlanRow | null;
}

/** SQL of what it learns of the company `c`. */
export const companyOfSessionUser = `json_build_object('id', c.id, 'name', c.name, 'email', c.email, 'due_date', c.due_date,
        'overdue_from', ${overdueFromSql("c")}, 'trial_expiration', c.trial_expiration, 'time_zone', c.time_zone)`;

/** SQL of all that the browser learns about a signed-in user. */
const sessionUserText = (
  userId: string,
  companyId: string,
) => `select u.id, u.name, u.email, u.profile, u.is_super, u.all_ticket, u.connection_id,
      coalesce((select json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.order_queue, q.id)
        from user_queues uq join queues q on q.id = uq.queue_id where uq.user_id = u.id), '[]') as queues,
      ${companyOfSessionUser} as company,
      coalesce((select json_agg(json_build_object('key', s.key, 'value', s.value)) from settings s
        where s.company_id = c.id), '[]') as settings,
      case when p.id is not null then to_json(p) end as plan
    from users u join companies c on c.id = u.company_id left join plans p on p.id = c.plan_id
    where u.id = ${userId} and u.company_id = ${companyId}`;

/** All that the browser learns about the signed-in user, in one statement. */
export const sessionUserStatement: Statement<SessionUserRow> = {
  name: "session_user",
  text: sessionUserText("$1", "$2"),
};

/** What a live session reads of its company. */
export interface CompanyOfSessionRow {
  readonly is_active: boolean;
  readonly due_date: string | null;
  readonly overdue_from: Date | null;
  readonly flags: Partial<Plan> | null;
  readonly time_zone: string;
  readonly language: Language;
}

/** The same as SQL, of a company `c` and its plan `p`. */
export const companyOfSession = `c.is_active, c.due_date,
      ${overdueFromSql("c")} as overdue_from, p.flags, c.time_zone, c.language`;

export interface LiveSessionRow extends CompanyOfSessionRow {
  readonly name: string;
  readonly profile: Profile;
  readonly is_super: boolean;
  readonly all_ticket: boolean;
  readonly queue_ids: readonly number[];
  readonly expires_at: Date;
}

/** The user of a live session and the plan of their company: read by every request that is not cached. */
export const liveSessionStatement: Statement<LiveSessionRow> = {
  name: "live_session",
  text: `select u.name, u.profile, u.is_super, u.all_ticket, s.expires_at,
      array(select queue_id from user_queues uq where uq.user_id = u.id order by 1)::int[] as queue_ids,
      ${companyOfSession}
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

/** Locks the row until the transaction ends: of two concurrent refreshes the second sees the result of the first. */
export async function lockSession(tx: SystemTx, id: string): Promise<SessionRow | undefined> {
  return tx.db.selectFrom("sessions").select(sessionColumns).where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Whose live session it is. */
export async function findPersonOfSession(
  tx: SystemTx,
  id: string,
): Promise<{ id: number; name: string; company_id: number } | undefined> {
  return tx.db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(["users.id", "users.name", "users.company_id"])
    .where("sessions.id", "=", id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
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

/** A session that was opened: the ids of those that it ended, and its user for the answer. */
export interface OpenedRow {
  readonly ended: readonly string[];
  readonly user: SessionUserRow;
}

/**
 * Opens a session, ends the others of its user and publishes that; undefined where the account is gone or its password is not
 * `passwordHash` any more. Also gives the tokens of the attempt back: one statement.
 */
export async function openSessionOf(
  db: Pick<Db, "system" | "systemRaw">,
  session: NewSession,
  {
    passwordHash,
    event,
    givenBack,
    auditRow,
  }: {
    /** Null: whatever it is. */
    readonly passwordHash: string | null;
    /** `session.ended`, without the ids of the sessions. */
    readonly event: DomainEvent;
    readonly givenBack: GivenBack;
    /** Written if the session is opened. */
    readonly auditRow: NewAuditRow;
  },
): Promise<OpenedRow | undefined> {
  const { id, company_id, user_id, refresh_hash, created_at, expires_at, address, user_agent } = session;
  // The function before the limits: who waits for the account's row holds no bucket that others need.
  const tokens = giveBackTokens(givenBack, "opened");
  const [row] = await run<{ ended: string[] | null; user: SessionUserRow | null }>(
    db,
    sql`
    with who as materialized (select ${user_id}::int as user_id, ${company_id}::int as company_id),
      opened as materialized (
      select open_session(${user_id}::int, ${passwordHash}::text, ${id}::uuid, ${refresh_hash}::text, ${created_at}::timestamptz,
        ${expires_at}::timestamptz, ${address}::text, ${user_agent}::text, ${event.type}::text,
        ${JSON.stringify(event.payload)}::jsonb) as ended)
      ${tokens ? sql`, ${tokens}` : sql``},
      audited as (${auditInsert(auditRow, sql`from opened where ended is not null`)})
    select opened.ended,
      (select to_json(v) from (${sql.raw(sessionUserText("who.user_id", "who.company_id"))}) v where opened.ended is not null) as "user"
    from opened, who`,
  );
  return row?.ended && row.user ? { ended: row.ended, user: row.user } : undefined;
}

/** Replaces the hash of a password by another one of the same password; false where it was changed meanwhile. */
export async function replacePasswordHash(
  db: Db["system"],
  userId: number,
  from: string,
  to: string,
): Promise<boolean> {
  const { rows } = await sql<{ isReplaced: boolean }>`
    select replace_password_hash(${userId}::int, ${from}::text, ${to}::text) as "isReplaced"`.execute(db);
  return rows[0]?.isReplaced ?? false;
}

export async function saveRotation(
  tx: SystemTx,
  id: string,
  rotation: Pick<SessionRow, "refresh_hash" | "previous_hash" | "rotated_at" | "expires_at">,
): Promise<void> {
  await tx.db.updateTable("sessions").set(rotation).where("id", "=", id).execute();
}

export type SessionFilter =
  | { readonly sessionId: string }
  | { readonly companyId: number }
  | { readonly userId: number; readonly except: string | null };

/** Ends one session, all of a company, or all of a user but one; returns those that were live. */
export async function endSessions(
  tx: Pick<SystemTx, "db">,
  filter: SessionFilter,
  reason: string,
  now: Date,
): Promise<{ id: string; company_id: number; user_id: number }[]> {
  const live = tx.db
    .updateTable("sessions")
    .set({ ended_at: now, ended_reason: reason })
    .where("ended_at", "is", null)
    .returning(["id", "company_id", "user_id"]);
  if ("sessionId" in filter) {
    return live.where("id", "=", filter.sessionId).execute();
  }
  if ("companyId" in filter) {
    return live.where("company_id", "=", filter.companyId).execute();
  }
  return live
    .where("user_id", "=", filter.userId)
    .where(sql<boolean>`id is distinct from ${filter.except}::uuid`)
    .execute();
}

/** Deletes sessions that ended or expired before `time`; until then a replayed cookie of theirs is recognized. */
export async function deleteSessionsBefore(db: Db, time: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${time} or ended_at < ${time}`.execute(db.system);
}
