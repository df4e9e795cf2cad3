import { hashPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { userCreated } from "./users.events.ts";
import { findOperatorEmail, findOperators, lockOperators, insertFirstAdmin } from "./users.queries.ts";
import { withFreeEmail } from "./users.service.ts";

export interface FirstAdmin {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The operator of the whole installation. */
  readonly isSuper: boolean;
}

/** The e-mail of the installation's first operator; undefined where it has none. */
export function operatorEmailOf(tx: SystemTx): Promise<string | undefined> {
  return findOperatorEmail(tx);
}

/** All operators, who receive the events of companies. */
export function listOperators(tx: SystemTx): Promise<{ id: number; companyId: number }[]> {
  return findOperators(tx);
}

/**
 * Throws ERR_NO_PERMISSION where this user is not an operator any more. Locks operators until the transaction ends, so
 * that two cannot remove each other: the installation keeps one.
 */
export async function requireOperator(tx: SystemTx, userId: number): Promise<void> {
  if (!(await lockOperators(tx, userId))) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

/** Creates the admin of a new company, in the transaction that creates it. The plan's limit does not apply. Throws ERR_EMAIL_TAKEN. */
export async function createFirstAdmin(tx: SystemTx, companyId: number, admin: FirstAdmin): Promise<number> {
  const fields = {
    name: admin.name,
    email: admin.email.trim().toLowerCase(),
    password_hash: await hashPassword(admin.password),
    profile: "admin" as const,
    is_super: admin.isSuper,
    all_ticket: true,
    connection_id: null,
  };
  const userId = await withFreeEmail(() => insertFirstAdmin(tx, companyId, fields));
  tx.emit(companyId, userCreated(userId));
  return userId;
}
