import { announcements } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  announce,
  attachImage,
  changeAnnouncement,
  detachImage,
  getAnnouncement,
  listAnnouncements,
  removeAnnouncement,
} from "./announcements.service.ts";
import type { AnnouncementRow } from "./announcements.queries.ts";
import { announcementView } from "./announcements.view.ts";

/** Announcements belong to no company, so the service opens a system transaction to write them. */
const ownTransaction = { transaction: "none" } as const;

export function announcementsRoutes(api: Api): void {
  const { db, media, storage } = api.services;
  const view = (row: AnnouncementRow) => announcementView(media, row);

  serve(api, announcements.list, async (ctx, { query }) => {
    const { rows, count, hasMore } = await listAnnouncements(ctx, query);
    return { records: rows.map(view), count, hasMore };
  });
  serve(api, announcements.get, async (ctx, { params }) => view(await getAnnouncement(ctx, params.id)));
  serve(
    api,
    announcements.create,
    (scope, { body }) => scope.inSystemOnce(async (tx) => view(await announce(tx, body))),
    { transaction: "once" },
  );
  serve(
    api,
    announcements.update,
    async (_, { params, body }) => view(await changeAnnouncement(db, params.id, body)),
    ownTransaction,
  );
  serve(
    api,
    announcements.remove,
    async (_, { params }) => {
      await removeAnnouncement(db, storage, params.id);
      return { message: "Announcement deleted" };
    },
    ownTransaction,
  );
  serve(
    api,
    announcements.upload,
    async ({ actor }, { params, files: [file] }) => {
      if (!file || !actor) {
        throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
      }
      return view(await attachImage({ db, storage, companyId: actor.companyId }, params.id, file));
    },
    ownTransaction,
  );
  serve(
    api,
    announcements.removeMedia,
    async (_, { params }) => view(await detachImage(db, storage, params.id)),
    ownTransaction,
  );
}
