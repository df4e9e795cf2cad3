import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "../auth.tables.ts";

export interface OwnSessionRow {
  readonly id: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly rotated_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
}

/** The latest sessions of a user, by index. */
export async function findSessionsOf(ctx: Ctx, userId: number, limit: number): Promise<OwnSessionRow[]> {
  return ctx.db
    .selectFrom("sessions")
    .select(["id", "address", "user_agent", "created_at", "rotated_at", "expires_at", "ended_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
}
