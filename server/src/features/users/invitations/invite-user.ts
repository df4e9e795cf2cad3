import { invitationDays } from "@prosa/contract";
import type { InvitationBody, InvitationLink } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { hashPassword, hashSecret, newSecret } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { userUpdated } from "../users.events.ts";
import { lockUser } from "../users.queries.ts";
import { addUser, loadUser, removeUser, requireMayChange } from "../users.service.ts";
import type { DeletionPorts } from "../users.service.ts";
import { userView } from "../users.view.ts";
import { invitationMail } from "./invitation-mail.ts";
import type { MailInvitation } from "./mail-invitation.ts";
import { findInvitingCompany, hasOpenInvitation, saveInvitation } from "./invitations.queries.ts";
import { provisionalName } from "./provisional-name.ts";

/**
 * Adds a user who cannot sign in before they have accepted: their password is the hash of a secret that nobody has, so that
 * a sign-in is refused like a wrong password, and takes as long. Throws ERR_PLAN_LIMIT, ERR_EMAIL_TAKEN, ERR_NO_QUEUE_FOUND.
 */
export async function inviteUser(ctx: Ctx, body: InvitationBody, mail: MailInvitation): Promise<InvitationLink> {
  const { name, email, profile, queueIds } = body;
  const fields = {
    name: name === "" ? provisionalName(email) : name,
    email,
    password_hash: await hashPassword(newSecret()),
    profile,
    all_ticket: false,
    connection_id: null,
  };
  return giveLink(ctx, await addUser(ctx, fields, queueIds), mail);
}

/** A new link, after which the former one is unknown. Throws ERR_USER_NOT_INVITED for a user who can sign in. */
export async function renewInvitation(ctx: Ctx, userId: number, mail: MailInvitation): Promise<InvitationLink> {
  await lockUser(ctx, userId);
  await requireMayChange(ctx, await loadUser(ctx, userId));
  await requireOpenInvitation(ctx, userId);
  const link = await giveLink(ctx, userId, mail);
  ctx.emit(userUpdated(userId));
  return link;
}

/** Deletes an invited user with their link. Throws ERR_USER_NOT_INVITED for a user who can sign in. */
export async function cancelInvitation(ctx: Ctx, userId: number, ports: DeletionPorts): Promise<void> {
  await removeUser(ctx, userId, ports, () => requireOpenInvitation(ctx, userId));
}

async function giveLink(ctx: Ctx, userId: number, mail: MailInvitation): Promise<InvitationLink> {
  const token = newSecret();
  const expiresAt = new Date(ctx.now().getTime() + invitationDays * 24 * 3_600_000);
  await saveInvitation(ctx, userId, { token_hash: hashSecret(token), expires_at: expiresAt });
  const user = userView(await loadUser(ctx, userId));
  await recordAudit(ctx, {
    action: "user.invited",
    target: { type: "user", id: userId, name: user.name },
    details: { email: user.email, profile: user.profile },
  });
  const isMailed = await mail.take();
  if (isMailed) {
    const inviter = ctx.actor.kind === "user" ? ctx.actor.name : null;
    const company = await findInvitingCompany(ctx);
    mail.send(ctx, invitationMail({ to: user.email, url: mail.urlOf(token), inviter, company, expiresAt }));
  }
  return { user, token, expiresAt: expiresAt.toISOString(), isMailed };
}

async function requireOpenInvitation(ctx: Ctx, userId: number): Promise<void> {
  if (!(await hasOpenInvitation(ctx, userId))) {
    throw new AppError("ERR_USER_NOT_INVITED", { userId });
  }
}
