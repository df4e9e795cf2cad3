import { pageSize } from "@prosa/contract";
import type { Profile } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "./users.tables.ts";
import { hasEnteredSql } from "./users.entered.ts";

export interface UserRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly profile: Profile;
  readonly is_super: boolean;
  readonly all_ticket: boolean;
  readonly connection_id: number | null;
  readonly company_id: number;
  readonly is_online: boolean;
  readonly queues: { id: number; name: string; color: string }[];
  /** Null for everybody but an invited user who has not accepted. */
  readonly invitation_expires_at: Date | null;
}

export interface UserFields {
  readonly name: string;
  readonly email: string;
  readonly password_hash: string;
  readonly profile: Profile;
  readonly all_ticket: boolean;
  readonly connection_id: number | null;
}

function selectUsers(ctx: Ctx) {
  return ctx.db
    .selectFrom("users")
    .leftJoin("user_presence", "user_presence.user_id", "users.id")
    .leftJoin("invitations", (on) =>
      on.onRef("invitations.user_id", "=", "users.id").on("invitations.accepted_at", "is", null),
    )
    .select([
      "users.id",
      "users.name",
      "email",
      "profile",
      "is_super",
      "all_ticket",
      "connection_id",
      "users.company_id",
      sql<boolean>`coalesce(user_presence.is_online, false)`.as("is_online"),
      "invitations.expires_at as invitation_expires_at",
      sql<UserRow["queues"]>`coalesce((
        select json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.order_queue, q.id)
        from user_queues uq join queues q on q.id = uq.queue_id where uq.user_id = users.id), '[]')`.as("queues"),
    ])
    .where("users.company_id", "=", ctx.companyId);
}

export function findUser(ctx: Ctx, id: number): Promise<UserRow | undefined> {
  return selectUsers(ctx).where("users.id", "=", id).executeTakeFirst();
}

export function findUsers(ctx: Ctx, ids: readonly number[]): Promise<UserRow[]> {
  return selectUsers(ctx)
    .where("users.id", "in", [...ids, 0])
    .execute();
}

/** Everybody who can sign in: nobody hands a conversation to a person who has not accepted their invitation. */
export function findColleagues(ctx: Ctx): Promise<UserRow[]> {
  return selectUsers(ctx)
    .where("invitations.user_id", "is", null)
    .orderBy(sql`folded(users.name)`)
    .orderBy("users.id")
    .execute();
}

/**
 * One page of users by name, and the number of all that match. With `seesAll` false, e-mails stay unknown: only names match,
 * and nobody who has not accepted their invitation.
 */
export async function searchUsers(
  ctx: Ctx,
  { searchParam, pageNumber, seesAll }: { searchParam: string; pageNumber: number; seesAll: boolean },
): Promise<{ rows: UserRow[]; count: number }> {
  const match = sql<boolean>`(${searchParam} = ''
    or strpos(folded(users.name), folded(${searchParam})) > 0 or (${seesAll} and strpos(users.email, ${searchParam}) > 0))
    and (${seesAll} or ${sql.raw(hasEnteredSql("users.id"))})`;
  const [rows, { count }] = await Promise.all([
    selectUsers(ctx)
      .where(match)
      .orderBy(sql`folded(users.name)`)
      .orderBy("users.id")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    ctx.db
      .selectFrom("users")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("company_id", "=", ctx.companyId)
      .where(match)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

/** The e-mail and password hash of a user. */
export function findCredentials(
  ctx: Ctx,
  id: number,
): Promise<Pick<UserFields, "email" | "password_hash"> | undefined> {
  return ctx.db.selectFrom("users").select(["email", "password_hash"]).where("id", "=", id).executeTakeFirst();
}

export async function insertUser(ctx: Ctx, fields: UserFields): Promise<number> {
  const { id } = await ctx.db
    .insertInto("users")
    .values({ ...fields, company_id: ctx.companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts the admin of a new company, in which nobody can act yet. Only here a user becomes an operator. */
export async function insertFirstAdmin(
  tx: SystemTx,
  companyId: number,
  fields: UserFields & { readonly is_super: boolean },
): Promise<number> {
  const { id } = await tx.db
    .insertInto("users")
    .values({ ...fields, company_id: companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveUser(ctx: Ctx, id: number, fields: Partial<UserFields>): Promise<void> {
  if (Object.keys(fields).length > 0) {
    const changed = fields.password_hash === undefined ? {} : { password_changed_at: ctx.now() };
    await ctx.db
      .updateTable("users")
      .set({ ...fields, ...changed })
      .where("id", "=", id)
      .execute();
  }
}

/** Removes the invitation of a user who was given a password otherwise; their link is dead. */
export async function deleteOpenInvitation({ db }: Pick<SystemTx, "db">, userId: number): Promise<void> {
  await db.deleteFrom("invitations").where("user_id", "=", userId).where("accepted_at", "is", null).execute();
}

/** Ends the link of an invited user, who stays invited. */
export async function expireOpenInvitation(ctx: Ctx, userId: number): Promise<void> {
  const now = ctx.now();
  await ctx.db
    .updateTable("invitations")
    .set({ expires_at: now })
    .where("user_id", "=", userId)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .execute();
}

export async function findPreferences(ctx: Ctx, userId: number): Promise<Record<string, unknown> | undefined> {
  const row = await ctx.db.selectFrom("users").select("preferences").where("id", "=", userId).executeTakeFirst();
  return row?.preferences;
}

/** Sets one key and leaves the others, whoever saves them meanwhile. */
export async function mergePreference(ctx: Ctx, userId: number, key: string, value: string | null): Promise<void> {
  await sql`
    update users set preferences = jsonb_strip_nulls(preferences || jsonb_build_object(${key}::text, ${value}::text))
    where id = ${userId}`.execute(ctx.db);
}

/** Are all of these queues of the company? */
export async function hasQueues(ctx: Ctx, queueIds: readonly number[]): Promise<boolean> {
  const wanted = new Set(queueIds);
  const rows = await ctx.db
    .selectFrom("queues")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("id", "in", [...wanted, 0])
    .execute();
  return rows.length === wanted.size;
}

export async function replaceQueuesOfUser(ctx: Ctx, userId: number, queueIds: readonly number[]): Promise<void> {
  await ctx.db.deleteFrom("user_queues").where("user_id", "=", userId).execute();
  await sql`
    insert into user_queues (company_id, user_id, queue_id)
    select company_id, ${userId}, id from queues
    where company_id = ${ctx.companyId} and id = any (${[...queueIds]}::int[])`.execute(ctx.db);
}

/** Locks the row until the transaction ends: no other row can reference this user meanwhile. */
export async function lockUser(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
}

/** Locks the row against other changes until the transaction ends; rows that reference this user are still inserted. */
export async function lockUserForChange(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.selectFrom("users").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}

export async function deleteUser(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("users").where("id", "=", id).execute();
}

/** Is this a connection of the company? */
export async function hasConnection(ctx: Ctx, connectionId: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("connections")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findAdminIds(ctx: Ctx): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom("users")
    .select("id")
    .where("company_id", "=", ctx.companyId)
    .where((on) => on.or([on("profile", "=", "admin"), on("is_super", "=", true)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** By id, the order in which tickets are locked everywhere. */
export async function findOpenTicketIds(ctx: Ctx, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where company_id = ${ctx.companyId} and user_id = ${userId} and status = 'open'
    order by id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/**
 * Locks the set of operators until the transaction ends, and returns whether this user is one: of two operators who remove
 * each other the second is none any more.
 */
export async function lockOperators({ db }: Pick<SystemTx, "db">, userId: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operators', 0))`.execute(db);
  const row = await db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .select("users.id")
    .where("users.id", "=", userId)
    .where("is_super", "=", true)
    .where("is_active", "=", true)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the set of a company's admins in the same way: of two who remove each other the second is none any more. */
export async function lockAdmins(ctx: Ctx, userId: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('admins', ${ctx.companyId}))`.execute(ctx.db);
  return (await findAdminIds(ctx)).includes(userId);
}

/** All operators of the installation. */
export async function findOperators(tx: SystemTx): Promise<{ id: number; companyId: number }[]> {
  return tx.db.selectFrom("users").select(["id", "company_id as companyId"]).where("is_super", "=", true).execute();
}

export async function findOperatorEmail(tx: SystemTx): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom("users")
    .select("email")
    .where("is_super", "=", true)
    .orderBy("id")
    .executeTakeFirst();
  return row?.email;
}

export async function savePasswordOf(
  tx: SystemTx,
  email: string,
  passwordHash: string,
): Promise<{ id: number; companyId: number; name: string } | undefined> {
  return tx.db
    .updateTable("users")
    .set({ password_hash: passwordHash, password_changed_at: sql`now()` })
    .where("email", "=", email)
    .returning(["id", "company_id as companyId", "name"])
    .executeTakeFirst();
}

export async function findUserOfAnyCompany(
  tx: SystemTx,
  id: number,
): Promise<{ readonly id: number; readonly companyId: number; readonly name: string } | undefined> {
  return tx.db
    .selectFrom("users")
    .select(["id", "company_id as companyId", "name"])
    .where("id", "=", id)
    .executeTakeFirst();
}
