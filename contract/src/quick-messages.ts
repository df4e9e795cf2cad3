import { z } from "zod";
import { booleanText, changesOf, done, idParams, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const quickMessage = z.object({
  id: z.number().int(),
  shortcode: z.string(),
  message: z.string(),
  geral: z.boolean(),
  status: z.boolean(),
  isMedia: z.boolean(),
  /** Signed URL of its attachment, like `mediaUrl`; it expires. */
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  mediaUrl: z.string().nullable(),
  userId: z.number().int().nullable(),
});
export type QuickMessage = z.output<typeof quickMessage>;

export const quickMessageBody = z.object({
  shortcode: z.string().trim().min(1, "Obrigatório").max(40, "Too Long!"),
  message: z.string().max(4000).default(""),
  /** Visible to the whole company, or only to its author. */
  geral: z.boolean().default(false),
  status: z.boolean().default(true),
});

const record = { params: idParams, access: { who: "session" }, response: quickMessage } as const;

export const quickMessages = {
  list: endpoint({
    method: "GET",
    path: "/quick-messages",
    summary: "Quick messages of the user, a page at a time",
    access: { who: "session" },
    query: z.object({ searchParam, pageNumber, userId: z.string().optional() }),
    response: paged("records", quickMessage),
  }),
  lookup: endpoint({
    method: "GET",
    path: "/quick-messages/list",
    summary: "Every quick message that the user may send, for suggestions",
    access: { who: "session" },
    query: z.object({
      companyId: z.string().optional(),
      userId: z.string().optional(),
      isGeral: booleanText.optional(),
    }),
    response: z.array(quickMessage),
  }),
  get: endpoint({ method: "GET", path: "/quick-messages/:id", summary: "One quick message", ...record }),
  create: endpoint({
    method: "POST",
    path: "/quick-messages",
    summary: "Add a quick message",
    access: { who: "session" },
    body: quickMessageBody,
    response: quickMessage,
  }),
  update: endpoint({
    method: "PUT",
    path: "/quick-messages/:id",
    summary: "Change a quick message: its author, or an admin",
    ...record,
    body: changesOf(quickMessageBody),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/quick-messages/:id",
    summary: "Delete a quick message: its author, or an admin",
    access: { who: "session" },
    params: idParams,
    response: done,
  }),
  upload: endpoint({
    method: "POST",
    path: "/quick-messages/:id/media-upload",
    summary: "Attach a file",
    ...record,
    body: z.object({ typeArch: z.string().max(60).optional() }),
    files: { field: "file", max: 1, required: true },
  }),
  removeMedia: endpoint({
    method: "DELETE",
    path: "/quick-messages/:id/media-upload",
    summary: "Take the file off",
    ...record,
  }),
} as const;
