import { z } from "zod";
import { changesOf, clientId, done, id, idParams, instant, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Limits of a file list; `lookupSize`: most lists that a picker is given. */
export const fileListRules = { maxOptions: 20, maxText: 4_000, maxCaption: 1_000, lookupSize: 1_000 } as const;

export const fileListOption = z.object({
  id: z.number().int(),
  /** Sent with the file, as its caption. */
  name: z.string(),
  /** Signed URL of its file, which expires; null without one. */
  path: z.string().nullable(),
  /** Detected by content: image/png. */
  mediaType: z.string().nullable(),
  mediaName: z.string().nullable(),
});
export type FileListOption = z.output<typeof fileListOption>;

export const fileList = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Sent before the files. */
  message: z.string(),
  /** In the order in which they are sent. */
  options: z.array(fileListOption),
  /** Who made it; null after that user was deleted. */
  userId: z.number().int().nullable(),
  createdAt: instant,
});
export type FileList = z.output<typeof fileList>;

const optionBody = z.object({
  /** Of an option that exists; without it, or with one that is gone, a new option. */
  id: id.optional(),
  /** Of a new option: saved again with it, after an answer that was lost, it is that one. */
  clientId,
  name: z.string().trim().max(fileListRules.maxCaption, "Too Long!").default(""),
  /** Null takes the file off; anything else leaves it. A file comes by `upload`. */
  path: z.string().nullish(),
});

/** Specification 2 section 5: the name has at least 3 characters, the message is required. */
export const fileListBody = z.object({
  name: z.string().trim().min(3, "nome muito curto").max(100, "Too Long!"),
  message: z.string().trim().min(1, "Required").max(fileListRules.maxText, "Too Long!"),
  /** All of them, in order: those that are missing are deleted, as far as `knownOptionIds` and `knownClientIds` have them. */
  options: z.array(optionBody).max(fileListRules.maxOptions).default([]),
  userId: id.nullable().optional(),
});
export type FileListBody = z.output<typeof fileListBody>;

const fileListChanges = changesOf(fileListBody).extend({
  /** The options that the client has seen: others are a colleague's, and stay behind those of `options`. Without it all are. */
  knownOptionIds: z.array(id).max(1_000).optional(),
  /** Its own new options of tries that were not answered: left out of `options`, they are deleted too. */
  knownClientIds: z.array(clientId.unwrap()).max(1_000).default([]),
});

/** A field that is repeated once a file, as clients of the family send it. */
const onePerFile = z
  .union([z.string().max(1_000), z.array(z.string().max(1_000)).max(fileListRules.maxOptions)])
  .default([])
  .transform((given) => (typeof given === "string" ? listOf(given) : given));

/** Several values in one field, as a JSON list; anything else is one value. */
function listOf(text: string): string[] {
  try {
    return z.array(z.coerce.string()).parse(JSON.parse(text));
  } catch {
    return [text];
  }
}

const record = { params: idParams, access: { who: "admin" }, response: fileList } as const;

export const fileLists = {
  list: endpoint({
    method: "GET",
    path: "/files",
    summary: "File lists by name, a page at a time; with `companyId` and no page every one, for a picker",
    access: { who: "session" },
    query: z.object({ searchParam, pageNumber: pageNumber.unwrap().optional(), companyId: z.string().optional() }),
    response: paged("files", fileList),
  }),
  get: endpoint({
    method: "GET",
    path: "/files/:id",
    summary: "One file list",
    access: { who: "session" },
    params: idParams,
    response: fileList,
  }),
  create: endpoint({
    method: "POST",
    path: "/files",
    summary: "Add a file list; its files follow by /files/uploadList",
    access: { who: "admin" },
    body: fileListBody,
    response: fileList,
  }),
  update: endpoint({
    method: "PUT",
    path: "/files/:id",
    summary: "Change a file list: known options that are left out are deleted with their files",
    ...record,
    body: fileListChanges,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/files/:id",
    summary: "Delete a file list with its files; what was sent stays in its conversation",
    access: { who: "admin" },
    params: idParams,
    response: done,
  }),
  upload: endpoint({
    method: "POST",
    path: "/files/uploadList/:id",
    summary:
      "Files of its options: each for the option of the `id` at its place, else of the `name`, else the next without a file",
    ...record,
    body: z.object({
      fileId: z.string().max(60).optional(),
      typeArch: z.string().max(60).optional(),
      mediaType: onePerFile,
      name: onePerFile,
      id: onePerFile,
    }),
    files: { field: "files", max: fileListRules.maxOptions, required: true },
  }),
} as const;
