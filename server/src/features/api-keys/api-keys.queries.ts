import { pageSize } from "@prosa/contract";
import type { Profile } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import { overdueFromSql } from "#server/platform/db/index.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";
import type {} from "./api-keys.tables.ts";

export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly beginning: string;
  readonly profile: Profile;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
  readonly userId: number;
  readonly userName: string;
}

const columns = `k.id, k.name, k.beginning, k.profile, k.scopes, k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
  k.revoked_at as "revokedAt", k.created_at as "createdAt", k.user_id as "userId", u.name as "userName"`;

const PAGE: Statement<ApiKeyRow & { count: number }> = {
  name: "api_keys_page",
  text: `select ${columns}, (select count(*) from api_keys where company_id = $1)::int as count
    from api_keys k join users u on u.id = k.user_id where k.company_id = $1
    order by k.created_at desc, k.id limit ${pageSize.others} offset $2`,
};

export async function findKeyPage(ctx: Ctx, pageNumber: number) {
  const rows = await ctx.raw(PAGE, [ctx.companyId, (pageNumber - 1) * pageSize.others]);
  return { rows, count: rows[0]?.count ?? 0 };
}

const FIND: Statement<ApiKeyRow> = {
  name: "api_key_find",
  text: `select ${columns} from api_keys k join users u on u.id = k.user_id where k.company_id = $1 and k.id = $2::uuid`,
};

export async function findKey(ctx: Ctx, id: string): Promise<ApiKeyRow | undefined> {
  const [row] = await ctx.raw(FIND, [ctx.companyId, id]);
  return row;
}

/** How many of the company's keys work. */
export async function countLiveKeys(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_keys where company_id = ${ctx.companyId} and revoked_at is null
      and (expires_at is null or expires_at > ${ctx.now()})`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

export interface NewKey {
  readonly id: string;
  readonly userId: number;
  readonly name: string;
  readonly beginning: string;
  readonly keyHash: string;
  readonly profile: Profile;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
}

export async function insertKey(ctx: Ctx, key: NewKey): Promise<void> {
  const { id, userId, name, beginning, keyHash, profile, scopes, expiresAt } = key;
  await ctx.db
    .insertInto("api_keys")
    .values({
      id,
      company_id: ctx.companyId,
      user_id: userId,
      name,
      beginning,
      key_hash: keyHash,
      profile,
      scopes: [...scopes],
      expires_at: expiresAt,
      created_at: ctx.now(),
    })
    .execute();
}

/** Revokes a key; false where it is revoked already, or not there. */
export async function revokeKey(ctx: Ctx, id: string): Promise<boolean> {
  const revoked = await ctx.db
    .updateTable("api_keys")
    .set({ revoked_at: ctx.now() })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return revoked !== undefined;
}

/** A key that works, with its user and company. */
export interface LiveKeyRow {
  readonly id: string;
  readonly name: string;
  readonly companyId: number;
  readonly userId: number;
  readonly userName: string;
  /** Of the user, who may have lost rights since. */
  readonly userProfile: Profile;
  readonly profile: Profile;
  readonly allTicket: boolean;
  readonly queueIds: readonly number[];
  readonly scopes: readonly string[];
  readonly lastUsedAt: Date | null;
  readonly isActive: boolean;
  readonly dueDate: string | null;
  readonly overdueFrom: Date | null;
  readonly flags: Readonly<Record<string, boolean>> | null;
  readonly timeZone: string;
  readonly language: Language;
}

const LIVE: Statement<LiveKeyRow> = {
  name: "api_key_live",
  text: `select k.id, k.name, k.company_id as "companyId", k.user_id as "userId", u.name as "userName", u.profile as "userProfile",
      k.profile, u.all_ticket as "allTicket",
      array(select queue_id from user_queues uq where uq.user_id = u.id order by 1)::int[] as "queueIds",
      k.scopes, k.last_used_at as "lastUsedAt", c.is_active as "isActive", c.due_date as "dueDate",
      ${overdueFromSql("c")} as "overdueFrom", p.flags, c.time_zone as "timeZone", c.language
    from api_keys k join users u on u.id = k.user_id join companies c on c.id = k.company_id
    left join plans p on p.id = c.plan_id
    where k.key_hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2) and c.deleted_at is null`,
};

/** By its hash, over all companies: the caller is not known before. */
export async function findLiveKey(db: Db, keyHash: string, now: Date): Promise<LiveKeyRow | undefined> {
  const [row] = await db.systemRaw(LIVE, [keyHash, now]);
  return row;
}

/** Notes that a key was used. */
export async function saveLastUse(db: Db, id: string, now: Date): Promise<void> {
  await sql`update api_keys set last_used_at = ${now} where id = ${id}`.execute(db.system);
}
