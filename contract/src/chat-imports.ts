import { z } from "zod";
import { idParams, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Why a file cannot be taken in: it is no export of WhatsApp, or larger than anybody's chat. */
export const chatImportFailures = ["unreadable", "tooLarge"] as const;

/** What an exported chat holds, before anything is taken in. */
export const chatPreview = z.object({
  /** Who wrote how many messages, the most first. */
  authors: z.array(z.object({ name: z.string(), messages: z.number().int() })),
  messages: z.number().int(),
  /** Files in the archive that a message names. */
  files: z.number().int(),
  /** Messages that are left out, as their time cannot be: before WhatsApp, or in the future. */
  misdated: z.number().int(),
  /** Wall clock of the phone. */
  first: z.string(),
  last: z.string(),
});
export type ChatPreview = z.output<typeof chatPreview>;

export const chatImport = z.object({
  id: z.number().int(),
  contactId: z.number().int(),
  state: z.enum(["waiting", "running", "finished", "failed"]),
  /** `interrupted`: nothing is wrong with the file; its job gave up, after faults of the machine. */
  failure: z.enum([...chatImportFailures, "interrupted"]).nullable(),
  total: z.number().int(),
  done: z.number().int(),
  created: z.number().int(),
  /** Were in the conversation already. */
  known: z.number().int(),
  /** Messages whose file is not in the archive, or is of a refused kind. */
  withoutFile: z.number().int(),
  /** As in the preview. */
  misdated: z.number().int(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});
export type ChatImport = z.output<typeof chatImport>;

const admins = { access: { who: "admin" } } as const;
const files = { field: "file", max: 1, required: true } as const;

export const chatImports = {
  preview: endpoint({
    method: "POST",
    path: "/contacts/:id/history/preview",
    summary: "Who wrote in WhatsApp's own export of a chat (.zip or .txt); nothing is taken in",
    ...admins,
    params: idParams,
    files,
    response: chatPreview,
  }),
  start: endpoint({
    method: "POST",
    path: "/contacts/:id/history",
    summary:
      "Take WhatsApp's own export of a chat into a contact's conversation; `me` is the author who is the company",
    ...admins,
    params: idParams,
    body: z.object({ me: z.string().trim().min(1).max(200) }),
    files,
    response: chatImport,
  }),
  list: endpoint({
    method: "GET",
    path: "/contacts/:id/history",
    summary: "The imports of a contact's exported chats, the latest first",
    ...admins,
    params: idParams,
    response: z.object({ records: z.array(chatImport) }),
  }),
} as const;
