import type { Ctx } from "#server/platform/ctx.ts";
import { sql } from "kysely";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "../auth.tables.ts";

type Person = { readonly id: number; readonly company_id: number };

export const sealedSecrets: SealedColumn = {
  table: "second_factors",
  column: "secret",
  key: ["user_id"],
  contextOf: (row) => secretContext(Number(row["user_id"])),
  isText: true,
  // Over all companies at once, by the machinery: requests may not write these rows.
  isShared: true,
};

/** Encryption context of a person's secret. */
export function secretContext(userId: number): string {
  return `second-factor:${userId}`;
}

export interface SecondFactorRow {
  /** Sealed. */
  readonly secret: string;
  readonly confirmed_at: Date | null;
}

export async function findSecondFactor(tx: SystemTx, userId: number): Promise<SecondFactorRow | undefined> {
  return tx.db
    .selectFrom("second_factors")
    .select(["secret", "confirmed_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Keeps a secret that is not confirmed yet; false where there is one that is in use. */
export async function saveNewSecret(
  tx: SystemTx,
  { id, company_id }: Person,
  secret: string,
  now: Date,
): Promise<boolean> {
  const fields = { secret, created_at: now, last_step: 0 };
  const saved = await tx.db
    .insertInto("second_factors")
    .values({ ...fields, user_id: id, company_id, confirmed_at: null })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(fields).where("second_factors.confirmed_at", "is", null),
    )
    .returning("user_id")
    .execute();
  return saved.length > 0;
}

/** Takes the code of a time step, once; false where one of that step or a later one was taken. */
export async function takeStep(tx: SystemTx, userId: number, step: number): Promise<boolean> {
  const taken = await tx.db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .returning("user_id")
    .execute();
  return taken.length > 0;
}

/** False where it is in use already. */
export async function confirmSecret(tx: SystemTx, userId: number, now: Date): Promise<boolean> {
  const confirmed = await tx.db
    .updateTable("second_factors")
    .set({ confirmed_at: now })
    .where("user_id", "=", userId)
    .where("confirmed_at", "is", null)
    .returning("user_id")
    .execute();
  return confirmed.length > 0;
}

export async function replaceRecoveryCodes(
  tx: SystemTx,
  { id, company_id }: Person,
  hashes: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(tx, id);
  await tx.db
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ user_id: id, company_id, code_hash })))
    .execute();
}

/** Uses a recovery code up; of two at once one gets true. */
export async function takeRecoveryCode(tx: SystemTx, userId: number, codeHash: string): Promise<boolean> {
  const taken = await tx.db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .returning("user_id")
    .execute();
  return taken.length > 0;
}

export async function hasRecoveryCodes(tx: SystemTx, userId: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom("recovery_codes")
    .select("user_id")
    .where("user_id", "=", userId)
    .limit(1)
    .execute();
  return row.length > 0;
}

export async function deleteRecoveryCodes(tx: SystemTx, userId: number): Promise<void> {
  await tx.db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/** Removes all of it, passkeys too; false where there was none in use. */
export async function deleteSecondFactor(tx: SystemTx, userId: number): Promise<boolean> {
  const passkeys = await tx.db.deleteFrom("passkeys").where("user_id", "=", userId).returning("id").execute();
  await deleteRecoveryCodes(tx, userId);
  const deleted = await tx.db
    .deleteFrom("second_factors")
    .where("user_id", "=", userId)
    .returning("confirmed_at")
    .execute();
  return passkeys.length > 0 || deleted.some(({ confirmed_at }) => confirmed_at !== null);
}

export interface TwoFactorRow {
  readonly isOn: boolean;
  readonly isRequired: boolean;
  readonly recoveryCodesLeft: number;
}

export async function findTwoFactorState(ctx: Ctx, userId: number): Promise<TwoFactorRow> {
  const { rows } = await sql<TwoFactorRow>`
    select exists (select from second_factors where user_id = ${userId} and confirmed_at is not null) as "isOn",
      exists (select from settings where company_id = ${ctx.companyId} and key = 'requireTwoFactor'
        and value = 'enabled') as "isRequired",
      (select count(*) from recovery_codes where user_id = ${userId})::int as "recoveryCodesLeft"`.execute(ctx.db);
  return rows[0]!;
}
