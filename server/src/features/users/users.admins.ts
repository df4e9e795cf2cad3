import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { findAdminIds } from "./users.queries.ts";

const admins: Cached<readonly number[]> = {
  name: "admins",
  staleAfter: ["user.created", "user.updated", "user.deleted"],
  load: findAdminIds,
};

/** The company's admins, for events that only admins receive. Cached. */
export function adminIdsOf(ctx: Ctx): Promise<readonly number[]> {
  return ctx.cached(admins);
}
