import { users } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { requireCurrentPassword } from "./users.current-password.ts";
import { createUser, getUser, listColleagues, listUsers, removeUser, updateUser } from "./users.service.ts";
import type { ReturnTicket } from "./users.service.ts";

export function usersRoutes(api: Api, returnTicket: ReturnTicket): void {
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
      await edge.inCompany((ctx) => removeUser(ctx, params.id, returnTicket));
      sessions.forgetUser(params.id);
      return { message: "User deleted" };
    },
    atOnce,
  );
}
