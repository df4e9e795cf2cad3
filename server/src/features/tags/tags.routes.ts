import { kanban, tags } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  createTag,
  getTag,
  kanbanLanes,
  listTags,
  lookUpTags,
  orderLanes,
  removeTag,
  updateTag,
} from "./tags.service.ts";

/** All calls except the tags of a ticket (`/tags/sync`), which the feature tickets serves. */
export function tagsRoutes(api: Api): void {
  serve(api, tags.list, (ctx, { query }) => listTags(ctx, query));
  serve(api, tags.lookup, (ctx, { query }) => lookUpTags(ctx, query.searchParam));
  serve(api, tags.kanban, async (ctx) => ({ lista: await kanbanLanes(ctx) }));
  serve(api, kanban.orderLanes, async (ctx, { body }) => ({ lista: await orderLanes(ctx, body.tagIds) }));
  serve(api, tags.get, (ctx, { params }) => getTag(ctx, params.id));
  serve(api, tags.create, (ctx, { body }) => createTag(ctx, body));
  serve(api, tags.update, (ctx, { params, body }) => updateTag(ctx, params.id, body));
  serve(api, tags.remove, async (ctx, { params }) => {
    await removeTag(ctx, params.id);
    return { message: "Tag deleted" };
  });
}
