import { requireUser } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findPreferences, mergePreference } from "./users.queries.ts";

/** A small thing that the acting user chose, in whichever browser; undefined where they did not. */
export async function preferenceOf(ctx: Ctx, key: string): Promise<unknown> {
  return (await findPreferences(ctx, requireUser(ctx).userId))?.[key];
}

/** Keeps a choice of the acting user; null forgets it. */
export async function savePreference(ctx: Ctx, key: string, value: string | null): Promise<void> {
  await mergePreference(ctx, requireUser(ctx).userId, key, value);
}
