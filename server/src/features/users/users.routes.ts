import { users } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { createUser, getUser, listColleagues, listUsers, removeUser, updateUser } from "./users.service.ts";

/** `letGo`: what must happen to the work of somebody who leaves, in the same transaction. */
export type LetGo = (ctx: Ctx, userId: number) => Promise<void>;

export function usersRoutes(api: Api, letGo: LetGo): void {
  serve(api, users.lookup, (ctx) => listColleagues(ctx));
  serve(api, users.list, (ctx, { query }) => listUsers(ctx, query));
  serve(api, users.get, (ctx, { params }) => getUser(ctx, params.id));
  serve(api, users.create, (ctx, { body }) => createUser(ctx, body));
  serve(api, users.update, (ctx, { params, body }) => updateUser(ctx, params.id, body));
  serve(api, users.remove, async (ctx, { params }) => {
    await removeUser(ctx, params.id, letGo);
    return { message: "User deleted" };
  });
}
