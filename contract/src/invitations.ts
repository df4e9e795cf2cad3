import { z } from "zod";
import { signedIn } from "./auth.ts";
import { done, emailAddress, id, idParams, instant, name2to50 } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { profiles } from "./permissions.ts";
import { user, userBody } from "./users.ts";

/** For how long the link of an invitation can be used. */
export const invitationDays = 7;

export const invitationBody = z.object({
  /** Absent or empty: who is invited enters it. */
  name: z.union([z.literal(""), name2to50]).default(""),
  email: emailAddress,
  profile: z.enum(profiles).default("user"),
  queueIds: z.array(id).max(200).default([]),
});
export type InvitationBody = z.output<typeof invitationBody>;

/** A user who was invited, and the token of their link: only in this answer, because what is stored is its hash. */
export const invitationLink = z.object({
  user,
  token: z.string(),
  expiresAt: instant,
  /** Whether the link was also sent by mail. */
  isMailed: z.boolean(),
});
export type InvitationLink = z.output<typeof invitationLink>;

/** What the page of a link shows to whoever has it. */
export const openInvitation = z.object({
  company: z.string(),
  /** Null where that user is gone. */
  inviter: z.string().nullable(),
  /** Empty where the inviter left it out. */
  name: z.string(),
  email: z.string(),
  expiresAt: instant,
});
export type OpenInvitation = z.output<typeof openInvitation>;

const token = z.string().min(1).max(200);

/** In the body, because addresses are logged by proxies. */
export const invitationToken = z.object({ token });

/** The rules are those of a user whom an admin adds. */
export const acceptance = z.object({ token, name: name2to50, password: userBody.shape.password });

export const invitations = {
  create: endpoint({
    method: "POST",
    path: "/users/invitations",
    summary: "Invite a user by a link, who sets their own password (Z-05)",
    access: { who: "admin" },
    body: invitationBody,
    response: invitationLink,
  }),
  renew: endpoint({
    method: "POST",
    path: "/users/:id/invitation",
    summary: "A new link for an invited user; the former one no longer works (Z-05)",
    access: { who: "admin" },
    params: idParams,
    response: invitationLink,
  }),
  cancel: endpoint({
    method: "DELETE",
    path: "/users/:id/invitation",
    summary: "Cancel an invitation: its link no longer works, and its user is deleted (Z-05)",
    access: { who: "admin" },
    params: idParams,
    response: done,
  }),
  open: endpoint({
    method: "POST",
    path: "/invitations/open",
    summary: "Whose invitation a link is (Z-05)",
    access: { who: "public" },
    body: invitationToken,
    response: openInvitation,
  }),
  accept: endpoint({
    method: "POST",
    path: "/invitations/accept",
    summary: "Set name and password by an invitation's link, and sign in; sets the refresh cookie (Z-05)",
    access: { who: "public" },
    body: acceptance,
    response: signedIn,
  }),
} as const;
