import { wireName } from "@prosa/contract";
import type { Feature } from "#server/platform/feature.ts";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { Emission, EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { announcementPayload } from "./announcements.events.ts";
import { findAnnouncementFiles, findAnnouncements } from "./announcements.queries.ts";
import { announcementsRoutes } from "./announcements.routes.ts";
import { announcementView } from "./announcements.view.ts";

/** Publishes active announcements to all users, inactive ones to operators. To all others inactive ones are published as deleted. */
const publishAnnouncements =
  (media: MediaLinks, action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const event = wireName(companyId, "announcement");
    const payloads = batch.map(({ payload }) => announcementPayload.parse(payload));
    const ids = [...new Set(payloads.map(({ announcementId }) => announcementId))];
    const operators = [...new Set(payloads.flatMap(({ operatorIds }) => operatorIds))].map(userRoom);
    const rows = new Map((await read((ctx) => findAnnouncements(ctx, ids))).map((row) => [row.id, row]));
    return ids.flatMap((id): Emission[] => {
      const row = rows.get(id);
      const record = row && announcementView(media, row);
      const deleted = { rooms: [everybody], event, payload: { action: "delete", id } };
      if (!record) {
        return [deleted];
      }
      const changed = { event, payload: { action, record } };
      return record.status
        ? [{ rooms: [everybody], ...changed }]
        : [
            { ...deleted, except: operators },
            { rooms: operators, ...changed },
          ];
    });
  };

export const feature: Feature = {
  name: "announcements",
  routes: announcementsRoutes,
  files: [{ folder: "announcements", referenced: findAnnouncementFiles }],
  events: ({ media }) => ({
    "announcement.created": publishAnnouncements(media, "create"),
    "announcement.updated": publishAnnouncements(media, "update"),
    "announcement.deleted": publishAnnouncements(media, "update"),
  }),
};
