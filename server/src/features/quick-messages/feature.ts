import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { findQuickMessageFiles, findQuickMessages } from "./quick-messages.queries.ts";
import { quickMessagesRoutes } from "./quick-messages.routes.ts";
import type { OnQuickMessagesChanged } from "./quick-messages.service.ts";
import { quickMessageView } from "./quick-messages.view.ts";

const quickMessagePayload = z.object({ quickMessageId: z.number().int() });

/** Publishes a quick message to those who may use it. To all others it is published as deleted, in case they could before. */
const publishQuickMessages =
  (media: MediaLinks, action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const event = wireName(companyId, "quickmessage");
    const ids = [...new Set(batch.map(({ payload }) => quickMessagePayload.parse(payload).quickMessageId))];
    const rows = new Map((await read((ctx) => findQuickMessages(ctx, ids))).map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = rows.get(id);
      const author = row?.user_id ? [userRoom(row.user_id)] : [];
      const rooms = row?.geral ? [everybody] : author;
      const record = row && quickMessageView(media, companyId, row);
      return [
        ...(record ? [{ rooms, event, payload: { action, record } }] : []),
        ...(row?.geral ? [] : [{ rooms: [everybody], except: author, event, payload: { action: "delete", id } }]),
      ];
    });
  };

export const quickMessagesFeature = (options: { readonly onChanged: OnQuickMessagesChanged }): Feature => ({
  name: "quick-messages",
  routes: (api) => quickMessagesRoutes(api, options.onChanged),
  files: [{ folder: "quick-messages", referenced: findQuickMessageFiles }],
  events: ({ media }) => ({
    "quickMessage.created": publishQuickMessages(media, "create"),
    "quickMessage.updated": publishQuickMessages(media, "update"),
    "quickMessage.deleted": publishQuickMessages(media, "update"),
  }),
});
