import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { filesOfQuickMessages, findQuickMessages } from "./quick-messages.queries.ts";
import { quickMessagesRoutes } from "./quick-messages.routes.ts";
import { quickMessageView } from "./quick-messages.view.ts";

const about = z.object({ quickMessageId: z.number().int() });

/** A personal one is its author's business: for everybody else it is gone, if it ever was there. */
const tell =
  (media: MediaLinks, action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const event = wireName(companyId, "quickmessage");
    const ids = [...new Set(batch.map(({ payload }) => about.parse(payload).quickMessageId))];
    const rows = new Map((await read((ctx) => findQuickMessages(ctx, ids))).map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = rows.get(id);
      const own = row?.user_id ? [userRoom(row.user_id)] : [];
      const rooms = row?.geral ? [everybody] : own;
      const record = row && quickMessageView(media, companyId, row);
      return [
        ...(record ? [{ rooms, event, payload: { action, record } }] : []),
        ...(row?.geral ? [] : [{ rooms: [everybody], except: own, event, payload: { action: "delete", id } }]),
      ];
    });
  };

export const feature: Feature = {
  name: "quick-messages",
  routes: quickMessagesRoutes,
  files: [{ folder: "quick-messages", referenced: filesOfQuickMessages }],
  events: ({ media }) => ({
    "quickMessage.created": tell(media, "create"),
    "quickMessage.updated": tell(media, "update"),
    "quickMessage.deleted": tell(media, "update"),
  }),
};
