import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { unlimited } from "../line-limit.ts";
import type { LineLimitState } from "../line-limit.ts";

const COLUMNS = `case when new_chats_locked then new_chats_locked_until end as "lockedUntil", lock_cause as "lockCause",
  quota_level as "quotaLevel", quota_used as "quotaUsed", quota_total as "quotaTotal", quota_until as "quotaUntil"`;

const FIND: Statement<LineLimitState> = {
  name: "line_limits_find",
  text: `select ${COLUMNS} from line_limits where connection_id = $1`,
};

const LOCK: Statement<LineLimitState> = {
  name: "line_limits_lock",
  text: `select ${COLUMNS} from line_limits where connection_id = $1 for update`,
};

const SAVE: Statement<never> = {
  name: "line_limits_save",
  text: `insert into line_limits (connection_id, company_id, new_chats_locked, new_chats_locked_until, lock_cause,
      quota_level, quota_used, quota_total, quota_until, updated_at)
    values ($1, $2, $3::timestamptz is not null, $3, $4, $5, $6, $7, $8, $9)
    on conflict (connection_id) do update set new_chats_locked = excluded.new_chats_locked,
      new_chats_locked_until = excluded.new_chats_locked_until, lock_cause = excluded.lock_cause,
      quota_level = excluded.quota_level, quota_used = excluded.quota_used, quota_total = excluded.quota_total,
      quota_until = excluded.quota_until, updated_at = excluded.updated_at`,
};

/** What the provider limits the line to, as announced last; `unlimited` where nothing was announced. */
export async function readLineLimit(ctx: Ctx, connectionId: number): Promise<LineLimitState> {
  const [limit] = await ctx.raw(FIND, [connectionId]);
  return limit ?? unlimited;
}

/** Like `readLineLimit`; another transaction that changes it waits. */
export async function lockLineLimit(ctx: Ctx, connectionId: number): Promise<LineLimitState> {
  const [limit] = await ctx.raw(LOCK, [connectionId]);
  return limit ?? unlimited;
}

export async function saveLineLimit(ctx: Ctx, connectionId: number, limit: LineLimitState): Promise<void> {
  await ctx.raw(SAVE, [
    connectionId,
    ctx.companyId,
    limit.lockedUntil,
    limit.lockCause,
    limit.quotaLevel,
    limit.quotaUsed,
    limit.quotaTotal,
    limit.quotaUntil,
    ctx.now(),
  ]);
}
