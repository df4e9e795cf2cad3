import { wireName } from "@prosa/contract";
import type { Feature } from "#server/platform/feature.ts";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { Emission, EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { announcementSchema } from "./announcements.events.ts";
import { findAnnouncementFiles, findAnnouncements } from "./announcements.queries.ts";
import { announcementsRoutes } from "./announcements.routes.ts";
import { announcementView } from "./announcements.view.ts";

/** An active one is everybody's. For all but the operator an inactive one is gone, if it ever was there. */
const tell =
  (media: MediaLinks, action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const event = wireName(companyId, "announcement");
    const happened = batch.map(({ payload }) => announcementSchema.parse(payload));
    const ids = [...new Set(happened.map(({ announcementId }) => announcementId))];
    const operators = [...new Set(happened.flatMap(({ operatorIds }) => operatorIds))].map(userRoom);
    const rows = new Map((await read((ctx) => findAnnouncements(ctx, ids))).map((row) => [row.id, row]));
    return ids.flatMap((id): Emission[] => {
      const row = rows.get(id);
      const record = row && announcementView(media, row);
      const gone = { rooms: [everybody], event, payload: { action: "delete", id } };
      if (!record) {
        return [gone];
      }
      const changed = { event, payload: { action, record } };
      return record.status
        ? [{ rooms: [everybody], ...changed }]
        : [
            { ...gone, except: operators },
            { rooms: operators, ...changed },
          ];
    });
  };

export const feature: Feature = {
  name: "announcements",
  routes: announcementsRoutes,
  files: [{ folder: "announcements", referenced: findAnnouncementFiles }],
  events: ({ media }) => ({
    "announcement.created": tell(media, "create"),
    "announcement.updated": tell(media, "update"),
    "announcement.deleted": tell(media, "update"),
  }),
};
