import { invitations, passwordResets, twoFactor, users } from "@prosa/contract";
import { answerSession, callerOf } from "#server/features/auth/index.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  acceptInvitation,
  cancelInvitation,
  inviteUser,
  mailInvitation,
  openInvitation,
  renewInvitation,
} from "./invitations/index.ts";
import { requestPasswordReset, resetPassword } from "./password-reset/index.ts";
import { requireCurrentPassword } from "./users.current-password.ts";
import { removeSecondFactor } from "./users.second-factor.ts";
import { createUser, getUser, listColleagues, listUsers, removeUser, updateUser } from "./users.service.ts";
import type { DeletionPorts } from "./users.service.ts";

export function usersRoutes(api: Api, ports: DeletionPorts): void {
  const { services } = api;
  const { sessions } = services;
  // Other processes drop their cached session by the event; this one does at once, before the next request.
  const atOnce = { transaction: "none" } as const;

  serve(api, users.lookup, (ctx) => listColleagues(ctx));
  serve(api, users.list, (ctx, { query }) => listUsers(ctx, query));
  serve(api, users.get, (ctx, { params }) => getUser(ctx, params.id));
  serve(api, users.create, (ctx, { body }) => createUser(ctx, body));
  serve(
    api,
    users.update,
    async (edge, { params, body }) => {
      await requireCurrentPassword(services, edge, params.id, body);
      const user = await edge.inCompany((ctx) => updateUser(ctx, params.id, body));
      sessions.forgetUser(params.id);
      return user;
    },
    atOnce,
  );
  serve(
    api,
    users.remove,
    async (edge, { params }) => {
      await edge.inCompany((ctx) => removeUser(ctx, params.id, ports));
      sessions.forgetUser(params.id);
      return { message: "User deleted" };
    },
    atOnce,
  );

  serve(api, invitations.create, (ctx, { body }) => inviteUser(ctx, body, mailInvitation(services, ctx.companyId)));
  serve(api, invitations.renew, (ctx, { params }) =>
    renewInvitation(ctx, params.id, mailInvitation(services, ctx.companyId)),
  );
  serve(api, invitations.cancel, async (ctx, { params }) => {
    await cancelInvitation(ctx, params.id, ports);
    return { message: "Invitation cancelled" };
  });
  serve(
    api,
    invitations.open,
    async (_edge, { body, request }) => openInvitation(services, body.token, callerOf(request)),
    atOnce,
  );
  serve(
    api,
    invitations.accept,
    async (_edge, { body, request, reply }) => {
      const session = await acceptInvitation(services, body, callerOf(request));
      return answerSession(services, session, request, reply);
    },
    atOnce,
  );

  serve(
    api,
    twoFactor.reset,
    async (edge, { params }) => {
      await removeSecondFactor(services, edge, params.id);
      return { message: "Second factor removed" };
    },
    atOnce,
  );

  serve(
    api,
    passwordResets.request,
    async (_edge, { params, request }) => {
      await requestPasswordReset(services, params.email, callerOf(request));
      return { message: "Mail sent" };
    },
    atOnce,
  );
  serve(
    api,
    passwordResets.reset,
    async (_edge, { body, request }) => {
      await resetPassword(services, body, callerOf(request));
      return { message: "Password changed" };
    },
    atOnce,
  );
  serve(
    api,
    passwordResets.resetByPath,
    async (_edge, { params, request }) => {
      await resetPassword(services, params, callerOf(request));
      return { message: "Password changed" };
    },
    atOnce,
  );
}
