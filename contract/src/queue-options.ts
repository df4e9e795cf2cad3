import { z } from "zod";
import { changesOf, done, id, idParams } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const queueOption = z.object({
  id: z.number().int(),
  queueId: z.number().int(),
  parentId: z.number().int().nullable(),
  title: z.string(),
  message: z.string(),
  /** Text that chooses the option; unique among its siblings. */
  option: z.string(),
  /** Position among its siblings, from 0. */
  position: z.number().int(),
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  mediaUrl: z.string().nullable(),
  fileListId: z.number().int().nullable(),
  childrenCount: z.number().int(),
});
export type QueueOption = z.output<typeof queueOption>;

export const queueOptionBody = z.object({
  queueId: id,
  parentId: id.nullable().default(null),
  title: z.string().trim().min(1, "Required").max(100, "Too Long!"),
  message: z.string().max(4000).default(""),
  /** Empty: the lowest free number. */
  option: z.string().trim().max(20).default(""),
  /** Absent: last. */
  position: z.coerce.number().int().min(0).max(1000).optional(),
  fileListId: id.nullable().default(null),
});

export type QueueOptionBody = z.output<typeof queueOptionBody>;

const record = { params: idParams, access: { who: "admin" }, response: queueOption } as const;

export const queueOptions = {
  list: endpoint({
    method: "GET",
    path: "/queue-options",
    summary: "Options of one level of a queue's tree; parentId -1 gives the roots",
    access: { who: "session" },
    query: z.object({ queueId: id, parentId: z.coerce.number().int().min(-1).max(2_147_483_647).default(-1) }),
    response: z.array(queueOption),
  }),
  tree: endpoint({
    method: "GET",
    path: "/queue/:id/options",
    summary: "All options of a queue, level by level and in their order: the editor's tree in one call",
    access: { who: "session" },
    params: idParams,
    response: z.array(queueOption),
  }),
  create: endpoint({
    method: "POST",
    path: "/queue-options",
    summary: "Add an option",
    access: { who: "admin" },
    body: queueOptionBody,
    response: queueOption,
  }),
  update: endpoint({
    method: "PUT",
    path: "/queue-options/:id",
    summary: "Change or move an option; never below itself",
    ...record,
    body: changesOf(queueOptionBody),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/queue-options/:id",
    summary: "Delete an option with all below it",
    access: { who: "admin" },
    params: idParams,
    response: done,
  }),
  upload: endpoint({
    method: "POST",
    path: "/queue-options/:id/media-upload",
    summary: "Attach a file",
    ...record,
    files: { field: "file", max: 1, required: true },
  }),
  removeMedia: endpoint({
    method: "DELETE",
    path: "/queue-options/:id/media-upload",
    summary: "Take the file off",
    ...record,
  }),
} as const;
