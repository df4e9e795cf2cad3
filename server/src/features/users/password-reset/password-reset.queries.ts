import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "../users.tables.ts";

export interface ResettableAccount {
  readonly id: number;
  readonly company_id: number;
  readonly name: string;
  readonly email: string;
  readonly password_hash: string;
  readonly language: Language;
}

/**
 * By e-mail, over all companies. Nobody of a company that is switched off or deleted, who could not sign in either, and
 * nobody who was invited and has not accepted: their link does the same.
 */
export async function findResettable(tx: SystemTx, email: string): Promise<ResettableAccount | undefined> {
  return tx.db
    .selectFrom("users as u")
    .innerJoin("companies as c", "c.id", "u.company_id")
    .select(["u.id", "u.company_id", "u.name", "u.email", "u.password_hash", sql<Language>`c.language`.as("language")])
    .where("u.email", "=", email)
    .where("c.is_active", "=", true)
    .where("c.deleted_at", "is", null)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom("invitations as i")
            .select("i.user_id")
            .whereRef("i.user_id", "=", "u.id")
            .where("i.accepted_at", "is", null),
        ),
      ),
    )
    .executeTakeFirst();
}

/** Replaces the user's code: a former one no longer works. */
export async function saveResetCode(
  tx: SystemTx,
  { id, company_id }: Pick<ResettableAccount, "id" | "company_id">,
  code: { readonly code_hash: string; readonly created_at: Date; readonly expires_at: Date },
): Promise<void> {
  await tx.db
    .insertInto("password_resets")
    .values({ ...code, user_id: id, company_id })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(code))
    .execute();
}

/** Uses a code up; false where it is not the user's, was used or has expired. Of two at once one gets true. */
export async function takeResetCode(tx: SystemTx, userId: number, codeHash: string, now: Date): Promise<boolean> {
  const taken = await tx.db
    .deleteFrom("password_resets")
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .returning("user_id")
    .execute();
  return taken.length > 0;
}

export async function deleteExpiredCodes(tx: SystemTx, now: Date): Promise<void> {
  await tx.db.deleteFrom("password_resets").where("expires_at", "<=", now).execute();
}

export async function savePassword(tx: SystemTx, userId: number, passwordHash: string, now: Date): Promise<void> {
  await tx.db
    .updateTable("users")
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where("id", "=", userId)
    .execute();
}
