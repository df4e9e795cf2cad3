import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { findFileLists, findReferencedFiles } from "./files.queries.ts";
import { filesRoutes } from "./files.routes.ts";
import { fileListView } from "./files.view.ts";
import { fileListFolder } from "./list-files.ts";

const fileListPayload = z.object({ fileListId: z.number().int() });

const publishFileLists =
  (media: MediaLinks, action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = [...new Set(batch.map(({ payload }) => fileListPayload.parse(payload).fileListId))];
    const rows = await read((ctx) => findFileLists(ctx, ids));
    return rows.map((row) => ({
      rooms: [everybody],
      event: wireName(companyId, "file"),
      payload: { action, record: fileListView(media, companyId, row) },
    }));
  };

export const feature: Feature = {
  name: "files",
  routes: filesRoutes,
  files: [{ folder: fileListFolder, referenced: findReferencedFiles }],
  events: ({ media }) => ({
    "fileList.created": publishFileLists(media, "create"),
    "fileList.updated": publishFileLists(media, "update"),
    "fileList.deleted": async (batch, { companyId }) =>
      batch.map(({ payload }) => ({
        rooms: [everybody],
        event: wireName(companyId, "file"),
        payload: { action: "delete", id: fileListPayload.parse(payload).fileListId },
      })),
  }),
};
