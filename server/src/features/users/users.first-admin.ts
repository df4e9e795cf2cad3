import { hashPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { userCreated } from "./users.events.ts";
import { findOperator, findOperators, holdOperators, insertFirstAdmin } from "./users.queries.ts";
import { withFreeEmail } from "./users.service.ts";

export interface FirstAdmin {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The operator of the whole installation. */
  readonly isSuper: boolean;
}

/** The e-mail of the installation's operator, where it has one. */
export function operatorOf(tx: SystemTx): Promise<string | undefined> {
  return findOperator(tx);
}

/** Who is told of what happens to companies. */
export function operatorsOf(tx: SystemTx): Promise<{ id: number; companyId: number }[]> {
  return findOperators(tx);
}

/**
 * Throws ERR_NO_PERMISSION where this user is no operator any more. Until the transaction ends no operator is removed
 * by another: the installation keeps one.
 */
export async function mustBeOperator(tx: SystemTx, userId: number): Promise<void> {
  if (!(await holdOperators(tx, userId))) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

/** The admin that comes with a new company, in the transaction that makes it. Not held to the plan's limit. Throws ERR_EMAIL_TAKEN. */
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
