import type { UserChanges } from "@prosa/contract";
import { verifyPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { resetSharedLimit, enforceSharedLimit } from "#server/platform/http/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findCredentials } from "./users.queries.ts";

/** Attempts of one person to give their current password. */
const attemptRate = { max: 10, perSeconds: 300 };

/**
 * Requires the current password where a user changes their own e-mail or password, so that an unattended browser is not
 * enough to take over an account (S-10). Sending the e-mail unchanged needs none. Throws ERR_VALIDATION where it is
 * missing, ERR_WRONG_PASSWORD, ERR_TOO_MANY_REQUESTS.
 */
export async function requireCurrentPassword(
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
  // Counted before it is verified, so that concurrent attempts all count.
  await enforceSharedLimit(services, key, attemptRate);
  if (!(await verifyPassword(own?.password_hash, currentPassword))) {
    throw new AppError("ERR_WRONG_PASSWORD");
  }
  await resetSharedLimit(services.db, key);
}
