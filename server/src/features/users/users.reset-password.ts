import { hashPassword } from "#server/platform/auth/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { userUpdated } from "./users.events.ts";
import { savePasswordOf } from "./users.queries.ts";

/** As the machinery, for whoever has that e-mail in any company; undefined where nobody has it. */
export async function replacePassword(tx: SystemTx, email: string, password: string): Promise<number | undefined> {
  const user = await savePasswordOf(tx, email, await hashPassword(password));
  if (user) {
    tx.emit(user.companyId, userUpdated(user.id));
  }
  return user?.id;
}
