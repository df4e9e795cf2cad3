import { z } from "zod";
import { booleanText, changesOf, done, idParams, instant, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** High, medium, low (specification 2 section 3). */
export const announcementPriorities = [1, 2, 3] as const;
export type AnnouncementPriority = (typeof announcementPriorities)[number];

/** Allowed image types of an announcement, detected by content (specification 2 section 5). */
export const announcementImages = ["image/png", "image/jpeg"] as const;

/** An announcement of the operator to the users of all companies. */
export const announcement = z.object({
  id: z.number().int(),
  title: z.string(),
  text: z.string(),
  priority: z.literal(announcementPriorities),
  /** Inactive announcements are visible to the operator only. */
  status: z.boolean(),
  /** Signed URL of its image; it expires. */
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  createdAt: instant,
});
export type Announcement = z.output<typeof announcement>;

export const announcementBody = z.object({
  title: z.string().trim().min(1, "Required").max(150, "Too Long!"),
  text: z.string().trim().min(1, "Required").max(5_000, "Too Long!"),
  priority: z.coerce.number().pipe(z.literal(announcementPriorities)).default(3),
  status: z.boolean().default(true),
});
export type AnnouncementBody = z.output<typeof announcementBody>;

const record = { params: idParams, access: { who: "super" }, response: announcement } as const;

/** Also when the company is overdue, because an announcement may explain how to pay. */
const reader = { who: "session", whenOverdue: true } as const;

export const announcements = {
  list: endpoint({
    method: "GET",
    path: "/announcements",
    summary: "Announcements, the newest first, a page at a time; inactive ones for the operator only",
    access: reader,
    query: z.object({
      searchParam,
      pageNumber,
      /** Excludes inactive announcements for the operator too. */
      active: booleanText,
    }),
    response: paged("records", announcement),
  }),
  get: endpoint({
    method: "GET",
    path: "/announcements/:id",
    summary: "One announcement",
    ...record,
    access: reader,
  }),
  create: endpoint({
    method: "POST",
    path: "/announcements",
    summary: "Announce something to all companies",
    access: { who: "super" },
    body: announcementBody,
    response: announcement,
  }),
  update: endpoint({
    method: "PUT",
    path: "/announcements/:id",
    summary: "Change an announcement",
    ...record,
    body: changesOf(announcementBody),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/announcements/:id",
    summary: "Delete an announcement with its image",
    ...record,
    response: done,
  }),
  upload: endpoint({
    method: "POST",
    path: "/announcements/:id/media-upload",
    summary: "Put an image on it, in place of the one before: png or jpeg",
    ...record,
    body: z.object({ typeArch: z.string().max(60).optional() }),
    files: { field: "file", max: 1, required: true },
  }),
  removeMedia: endpoint({
    method: "DELETE",
    path: "/announcements/:id/media-upload",
    summary: "Take the image off",
    ...record,
  }),
} as const;
