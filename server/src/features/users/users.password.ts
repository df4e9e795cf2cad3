import type { UserChanges } from "@prosa/contract";
import { verifyPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { forgetLimit, limitEverywhere } from "#server/platform/http/index.ts";
import type { Edge } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findPasswordHash } from "./users.queries.ts";

/** Wrong current passwords of one person. */
const tries = { max: 10, perSeconds: 300 };

/**
 * One's own new password asks for the current one, so that a browser left open is not an account lost (S-10). Throws
 * ERR_VALIDATION without it, ERR_WRONG_PASSWORD, ERR_TOO_MANY_REQUESTS.
 */
export async function proveOwnPassword(
  services: Services,
  edge: Edge,
  userId: number,
  { password, currentPassword }: UserChanges,
): Promise<void> {
  const isOneself = edge.actor?.kind === "user" && edge.actor.userId === userId;
  if (!password || !isOneself) {
    return;
  }
  if (!currentPassword) {
    throw new AppError("ERR_VALIDATION", { fields: { currentPassword: "Required" } });
  }
  const key = `own-password:${userId}`;
  // Counted before it is compared, so that many at once count as many.
  await limitEverywhere(services, key, tries);
  const hash = await edge.read((ctx) => findPasswordHash(ctx, userId));
  if (!(await verifyPassword(hash, currentPassword))) {
    throw new AppError("ERR_WRONG_PASSWORD");
  }
  await forgetLimit(services.db, key);
}
