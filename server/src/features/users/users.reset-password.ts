import { noteEmailConfirmed, resetSecondFactor } from "#server/features/auth/index.ts";
import { hashPassword } from "#server/platform/auth/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { userUpdated } from "./users.events.ts";
import { deleteOpenInvitation, savePasswordOf } from "./users.queries.ts";

/** Replaces the password of the user with that e-mail, in any company, from the command line; undefined where there is none. */
export async function replacePassword(
  tx: SystemTx,
  email: string,
  password: string,
  now: Date,
): Promise<number | undefined> {
  const user = await savePasswordOf(tx, email, await hashPassword(password));
  if (user) {
    await deleteOpenInvitation(tx, user.id);
    await noteEmailConfirmed(tx, user.id);
    // Who stands at the machine helps whoever lost everything.
    await resetSecondFactor(tx, user, now);
    tx.emit(user.companyId, userUpdated(user.id));
  }
  return user?.id;
}
