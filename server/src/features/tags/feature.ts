import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { tagsRoutes } from "./tags.routes.ts";
import { tagsOf } from "./tags.service.ts";

const about = z.object({ tagId: z.number().int() });

const tellTag =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = new Set(batch.map(({ payload }) => about.parse(payload).tagId));
    const all = await read((ctx) => tagsOf(ctx));
    return all
      .filter(({ id }) => ids.has(id))
      .map((tag) => ({ rooms: [everybody], event: wireName(companyId, "tag"), payload: { action, record: tag } }));
  };

export const feature: Feature = {
  name: "tags",
  routes: tagsRoutes,
  events: () => ({
    "tag.created": tellTag("create"),
    "tag.updated": tellTag("update"),
    "tag.deleted": async (batch, { companyId }) =>
      batch.map(({ payload }) => ({
        rooms: [everybody],
        event: wireName(companyId, "tag"),
        payload: { action: "delete", id: about.parse(payload).tagId },
      })),
  }),
};
