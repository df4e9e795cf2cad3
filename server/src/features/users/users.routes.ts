import { users } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { createUser, getUser, listColleagues, listUsers, removeUser, updateUser } from "./users.service.ts";
import type { ReturnTicket } from "./users.service.ts";

export function usersRoutes(api: Api, returnTicket: ReturnTicket): void {
  serve(api, users.lookup, (ctx) => listColleagues(ctx));
  serve(api, users.list, (ctx, { query }) => listUsers(ctx, query));
  serve(api, users.get, (ctx, { params }) => getUser(ctx, params.id));
  serve(api, users.create, (ctx, { body }) => createUser(ctx, body));
  serve(api, users.update, (ctx, { params, body }) => updateUser(ctx, params.id, body));
  serve(api, users.remove, async (ctx, { params }) => {
    await removeUser(ctx, params.id, returnTicket);
    return { message: "User deleted" };
  });
}
