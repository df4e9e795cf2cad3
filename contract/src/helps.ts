import { z } from "zod";
import { changesOf, done, idParams, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** A help video: its YouTube id, title and description (specification 2 section 3). */
export const help = z.object({
  id: z.number().int(),
  title: z.string(),
  description: z.string(),
  video: z.string(),
});
export type Help = z.output<typeof help>;

/** Part of a URL, so only valid video ids are accepted. */
export const videoCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{11}$/u, "Invalid video code");

export const helpBody = z.object({
  title: z.string().trim().min(2, "Too Short!").max(100, "Too Long!"),
  description: z.string().trim().max(500, "Too Long!").default(""),
  video: videoCode,
});
export type HelpBody = z.output<typeof helpBody>;

export const helps = {
  list: endpoint({
    method: "GET",
    path: "/helps",
    summary: "Help videos, a page at a time",
    access: { who: "session" },
    query: z.object({ searchParam, pageNumber }),
    response: paged("helps", help),
  }),
  lookup: endpoint({
    method: "GET",
    path: "/helps/list",
    summary: "Every help video, the oldest first",
    access: { who: "session" },
    response: z.array(help),
  }),
  create: endpoint({
    method: "POST",
    path: "/helps",
    summary: "Add a help video",
    access: { who: "super" },
    body: helpBody,
    response: help,
  }),
  update: endpoint({
    method: "PUT",
    path: "/helps/:id",
    summary: "Change a help video",
    access: { who: "super" },
    params: idParams,
    body: changesOf(helpBody),
    response: help,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/helps/:id",
    summary: "Delete a help video",
    access: { who: "super" },
    params: idParams,
    response: done,
  }),
} as const;
