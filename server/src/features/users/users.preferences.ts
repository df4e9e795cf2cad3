import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findPreferences, mergePreference } from "./users.queries.ts";

/** A small thing that the acting user chose, in whichever browser; undefined where they did not. */
export async function preferenceOf(ctx: Ctx, key: string): Promise<unknown> {
  return (await findPreferences(ctx, userIdOf(ctx)))?.[key];
}

/** Keeps a choice of the acting user; null forgets it. */
export async function savePreference(ctx: Ctx, key: string, value: string | null): Promise<void> {
  await mergePreference(ctx, userIdOf(ctx), key, value);
}

function userIdOf({ actor }: Ctx): number {
  if (actor.kind !== "user") {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return actor.userId;
}
