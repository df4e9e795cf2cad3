import { z } from "zod";
import { changesOf, color, done, id, idParams, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const tag = z.object({ id: z.number().int(), name: z.string(), color: z.string(), kanban: z.number().int() });
export type Tag = z.output<typeof tag>;

/** A tag with its usage, for the tags screen. */
export const tagRecord = tag.extend({ userId: z.number().int().nullable(), ticketsCount: z.number().int() });
export type TagRecord = z.output<typeof tagRecord>;

/** At least 3 characters (specification 2 section 5). Setting the kanban flag needs the rule `tags:editKanban`. */
export const tagBody = z.object({
  name: z.string().trim().min(3, "Mensagem muito curta").max(50, "Too Long!"),
  color: color.default("#A4CCCC"),
  kanban: z.union([z.literal(0), z.literal(1)]).default(0),
  userId: id.nullable().optional(),
});

export const tags = {
  list: endpoint({
    method: "GET",
    path: "/tags",
    summary: "Tags, a page at a time",
    access: { who: "session" },
    query: z.object({ searchParam, pageNumber, companyId: z.string().optional() }),
    response: paged("tags", tagRecord),
  }),
  lookup: endpoint({
    method: "GET",
    path: "/tags/list",
    summary: "Every tag of the company, for a picker",
    access: { who: "session" },
    query: z.object({ searchParam, companyId: z.string().optional() }),
    response: z.array(tag),
  }),
  kanban: endpoint({
    method: "GET",
    path: "/tags/kanban",
    summary: "Tags that are lanes of the kanban",
    access: { who: "session" },
    response: z.object({ lista: z.array(tag) }),
  }),
  get: endpoint({
    method: "GET",
    path: "/tags/:id",
    summary: "One tag",
    access: { who: "session" },
    params: idParams,
    response: tagRecord,
  }),
  create: endpoint({
    method: "POST",
    path: "/tags",
    summary: "Add a tag",
    access: { who: "session" },
    body: tagBody,
    response: tagRecord,
  }),
  update: endpoint({
    method: "PUT",
    path: "/tags/:id",
    summary: "Change a tag",
    access: { who: "session" },
    params: idParams,
    body: changesOf(tagBody),
    response: tagRecord,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/tags/:id",
    summary: "Delete a tag; it is taken off every ticket",
    access: { who: "session", rule: "tags:delete" },
    params: idParams,
    response: done,
  }),
  /** Replaces the tags of a ticket. A tag without an id is created. */
  sync: endpoint({
    method: "POST",
    path: "/tags/sync",
    summary: "Set the tags of a ticket",
    access: { who: "session" },
    body: z.object({
      ticketId: id,
      tags: z.array(z.object({ id: id.optional(), name: z.string().trim().min(3).max(50).optional() }).loose()).max(50),
    }),
    response: z.object({ ticketId: z.number().int(), tags: z.array(tag) }),
  }),
} as const;
