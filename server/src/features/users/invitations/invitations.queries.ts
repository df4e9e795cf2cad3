import type { Language } from "@prosa/contract/i18n";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "../users.tables.ts";

/** Makes the one link of an invited user, or replaces it: the former token is unknown from then on. */
export async function saveInvitation(
  ctx: Ctx,
  userId: number,
  link: { readonly token_hash: string; readonly expires_at: Date },
): Promise<void> {
  const invited_by = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const fields = { ...link, invited_by, created_at: ctx.now() };
  await ctx.db
    .insertInto("invitations")
    .values({ ...fields, user_id: userId, company_id: ctx.companyId })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(fields))
    .execute();
}

export async function hasOpenInvitation(ctx: Ctx, userId: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom("invitations")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("accepted_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

export interface InvitationRow {
  readonly user_id: number;
  readonly company_id: number;
  readonly company: string;
  readonly inviter: string | null;
  readonly name: string;
  readonly email: string;
  readonly expires_at: Date;
  readonly accepted_at: Date | null;
}

/** By the hash of its token, over all companies: nobody is signed in yet. */
export async function findInvitation(tx: SystemTx, tokenHash: string): Promise<InvitationRow | undefined> {
  return tx.db
    .selectFrom("invitations as i")
    .innerJoin("users as u", "u.id", "i.user_id")
    .innerJoin("companies as c", "c.id", "i.company_id")
    .leftJoin("users as inviter", "inviter.id", "i.invited_by")
    .select([
      "i.user_id",
      "i.company_id",
      "c.name as company",
      "inviter.name as inviter",
      "u.name",
      "u.email",
      "i.expires_at",
      "i.accepted_at",
    ])
    .where("i.token_hash", "=", tokenHash)
    .executeTakeFirst();
}

/**
 * Locks a user until the transaction ends: of two who use a link at once the second sees that it was used, and a deletion
 * or a new link comes before or after it.
 */
export async function lockInvitedUser(tx: SystemTx, userId: number): Promise<void> {
  await tx.db.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
}

export async function saveAcceptance(
  tx: SystemTx,
  userId: number,
  { name, passwordHash, now }: { readonly name: string; readonly passwordHash: string; readonly now: Date },
): Promise<void> {
  await tx.db.updateTable("users").set({ name, password_hash: passwordHash }).where("id", "=", userId).execute();
  await tx.db.updateTable("invitations").set({ accepted_at: now }).where("user_id", "=", userId).execute();
}

/** What the mail to an invited user says of the company. */
export async function findInvitingCompany(
  ctx: Ctx,
): Promise<{ readonly name: string; readonly language: Language; readonly time_zone: string }> {
  return ctx.db
    .selectFrom("companies")
    .select(["name", sql<Language>`language`.as("language"), "time_zone"])
    .where("id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
}
