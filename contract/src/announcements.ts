import { z } from "zod";
import { booleanText, changesOf, done, idParams, instant, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** High, medium, low (specification 2 section 3). */
export const announcementPriorities = [1, 2, 3] as const;
export type AnnouncementPriority = (typeof announcementPriorities)[number];

/** What an announcement's image may be, by its bytes (specification 2 section 5). */
export const announcementImages = ["image/png", "image/jpeg"] as const;

/** A word of the operator to everybody of every company. */
export const announcement = z.object({
  id: z.number().int(),
  title: z.string(),
  text: z.string(),
  priority: z.literal(announcementPriorities),
  /** Inactive ones are seen by the operator alone. */
  status: z.boolean(),
  /** The address of its image, which expires. */
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

/** Also where the subscription is overdue: how to pay may be what the operator says. */
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
      /** Leaves the inactive ones out for the operator too. */
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
