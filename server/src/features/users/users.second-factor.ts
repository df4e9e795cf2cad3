import { resetSecondFactor } from "#server/features/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findUserOfAnyCompany } from "./users.queries.ts";
import { loadUser, requireMayChange } from "./users.service.ts";

/**
 * Removes the second factor of a colleague who lost it; the operator's reach is every company (V-03). Nobody removes their own
 * this way, because that takes the password. Throws ERR_NO_USER_FOUND, ERR_NO_PERMISSION for one of higher rank (V-04).
 */
export async function removeSecondFactor({ db, clock }: Services, edge: RequestScope, id: number): Promise<void> {
  const { actor } = edge;
  if (actor?.kind !== "user") {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  if (actor.userId === id) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  if (!actor.isSuper) {
    await edge.inCompany(async (ctx) => requireMayChange(ctx, await loadUser(ctx, id)));
  }
  await db.systemTx(async (tx) => {
    const person = await findUserOfAnyCompany(tx, id);
    if (!person) {
      throw new AppError("ERR_NO_USER_FOUND", { userId: id });
    }
    await resetSecondFactor(tx, person, clock.now());
  });
}
