import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "../auth.tables.ts";

/** Makes or replaces the one link of a user. */
export async function saveConfirmation(
  tx: SystemTx,
  { id, company_id }: { readonly id: number; readonly company_id: number },
  link: { readonly token_hash: string; readonly created_at: Date; readonly expires_at: Date },
): Promise<void> {
  await tx.db
    .insertInto("email_confirmations")
    .values({ ...link, user_id: id, company_id })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(link))
    .execute();
}

/** Confirms by the hash of a token; false where there is none that is still good. */
export async function takeConfirmation(tx: SystemTx, tokenHash: string, now: Date): Promise<boolean> {
  const taken = await tx.db
    .deleteFrom("email_confirmations")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returning("user_id")
    .execute();
  return taken.length > 0;
}

export async function deleteConfirmation(tx: SystemTx, userId: number): Promise<void> {
  await tx.db.deleteFrom("email_confirmations").where("user_id", "=", userId).execute();
}
