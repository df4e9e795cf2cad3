import type { UserChanges } from "@prosa/contract";
import { verifyPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { resetSharedLimit, enforceSharedLimit } from "#server/platform/http/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findCredentials } from "./users.queries.ts";

/** Wrong current passwords of one person. */
const tries = { max: 10, perSeconds: 300 };

/**
 * What one signs in with, the e-mail and the password, changes for oneself with the current password only, so that a
 * browser left open is not an account lost (S-10). Sending the e-mail that is there already changes nothing. Throws
 * ERR_VALIDATION without it, ERR_WRONG_PASSWORD, ERR_TOO_MANY_REQUESTS.
 */
export async function proveOwnPassword(
  services: Services,
  edge: RequestScope,
  userId: number,
  { email, password, currentPassword }: UserChanges,
): Promise<void> {
  const isOneself = edge.actor?.kind === "user" && edge.actor.userId === userId;
  if (!isOneself || (!password && email === undefined)) {
    return;
  }
  const own = await edge.read((ctx) => findCredentials(ctx, userId));
  if (!password && email === own?.email) {
    return;
  }
  if (!currentPassword) {
    throw new AppError("ERR_VALIDATION", { fields: { currentPassword: "Required" } });
  }
  const key = `own-password:${userId}`;
  // Counted before it is compared, so that many at once count as many.
  await enforceSharedLimit(services, key, tries);
  if (!(await verifyPassword(own?.password_hash, currentPassword))) {
    throw new AppError("ERR_WRONG_PASSWORD");
  }
  await resetSharedLimit(services.db, key);
}
