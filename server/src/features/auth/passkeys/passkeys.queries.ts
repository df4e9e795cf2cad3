import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, SystemTx } from "#server/platform/db/index.ts";
import type {} from "../auth.tables.ts";

export interface PasskeyRow {
  readonly id: number;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export async function findPasskeys(ctx: Ctx, userId: number): Promise<PasskeyRow[]> {
  return ctx.db
    .selectFrom("passkeys")
    .select(["id", "name", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

export interface CredentialRow {
  readonly user_id: number;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly transports: string[];
}

const credential = ["user_id", "credential_id", "public_key", "counter", "transports"] as const;

/** Over all companies: nobody is signed in yet. */
export async function findCredential(db: Db, credentialId: string): Promise<CredentialRow | undefined> {
  return db.system
    .selectFrom("passkeys")
    .select(credential)
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
}

export async function findCredentialsOf(db: Db, userId: number): Promise<CredentialRow[]> {
  return db.system.selectFrom("passkeys").select(credential).where("user_id", "=", userId).execute();
}

/** Undefined where the credential is somebody's already. */
export async function insertPasskey(
  tx: SystemTx,
  fields: Omit<CredentialRow, "public_key"> & {
    readonly company_id: number;
    readonly name: string;
    readonly created_at: Date;
    readonly public_key: Buffer;
  },
): Promise<PasskeyRow | undefined> {
  return tx.db
    .insertInto("passkeys")
    .values({ ...fields, last_used_at: null })
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning(["id", "name", "created_at", "last_used_at"])
    .executeTakeFirst();
}

/**
 * False where the counter does not go up: another sign-in was faster, or the key was copied. A device that does not count
 * always says 0.
 */
export async function savePasskeyUse(tx: SystemTx, credentialId: string, counter: number, now: Date): Promise<boolean> {
  const saved = await tx.db
    .updateTable("passkeys")
    .set({ counter, last_used_at: now })
    .where("credential_id", "=", credentialId)
    .where((where) => where.or([where("counter", "<", counter), where("counter", "=", 0)]))
    .returning("id")
    .executeTakeFirst();
  return saved !== undefined;
}

/** The name of the deleted one; undefined where it is not the user's. */
export async function deletePasskey(tx: SystemTx, userId: number, id: number): Promise<string | undefined> {
  const row = await tx.db
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}
