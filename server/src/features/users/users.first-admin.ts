import { hashPassword } from "#server/platform/auth/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { userCreated } from "./users.events.ts";
import { insertFirstAdmin } from "./users.queries.ts";

export interface FirstAdmin {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The operator of the whole installation. */
  readonly isSuper: boolean;
}

/** The admin that comes with a new company, in the transaction that makes it. Not held to the plan's limit. */
export async function createFirstAdmin(tx: SystemTx, companyId: number, admin: FirstAdmin): Promise<number> {
  const userId = await insertFirstAdmin(tx, companyId, {
    name: admin.name,
    email: admin.email.trim().toLowerCase(),
    password_hash: await hashPassword(admin.password),
    profile: "admin",
    is_super: admin.isSuper,
    all_ticket: true,
    connection_id: null,
  });
  tx.emit(companyId, userCreated(userId));
  return userId;
}
