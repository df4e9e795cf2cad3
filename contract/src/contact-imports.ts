import { z } from "zod";
import { idParams, instant, parseJson } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const importStates = ["waiting", "running", "finished", "cancelled", "failed"] as const;
/** `rounded`: Excel has abbreviated the number (5,51E+12), and its last digits are lost. */
export const refusalReasons = ["name", "noName", "number", "rounded", "email"] as const;
export const importFailures = ["unreadable", "tooManyRows", "tooManyColumns", "tooMuchText", "empty"] as const;

/** What a column of an imported sheet holds. Cells of several `name` columns are joined, then `lastName`. */
export const columnRoles = ["name", "lastName", "number", "areaCode", "email", "extraInfo", "ignore"] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The columns of a sheet: which line has the headings, from 1, and what each column holds. */
export const importColumns = z.object({
  /** Null if there is none. Lines up to it are left out. */
  headingLine: z.number().int().min(1).max(50_000).nullable(),
  roles: z
    .array(z.enum(columnRoles))
    .max(20_000)
    .refine(
      (roles) => roles.includes("number") && roles.includes("name"),
      "Choose the columns of the name and the number",
    ),
});
export type ImportColumns = z.output<typeof importColumns>;

/** A sheet before its import: its first rows, and what its columns seem to be (C-03). */
export const sheetPreview = z.object({
  headingLine: z.number().int().nullable(),
  /** Columns that hold something. `index` counts all columns, from 0. */
  columns: z.array(z.object({ index: z.number().int(), heading: z.string(), role: z.enum(columnRoles) })),
  /** Number of all columns, empty ones included: as many as `roles` of the import. */
  width: z.number().int(),
  /** The first rows with something in them, headings included; a cell for each of `columns`. */
  rows: z.array(z.object({ line: z.number().int(), cells: z.array(z.string()) })),
  /** Why a person must choose the columns: no headings, no number, several numbers, no name. Null if the headings tell all. */
  unclear: z.enum(["headings", "number", "numbers", "name"]).nullable(),
});
export type SheetPreview = z.output<typeof sheetPreview>;

/** An import of contacts from a file or from the company's chats (C-03). */
export const contactImport = z.object({
  id: z.number().int(),
  source: z.enum(["file", "phone"]),
  fileName: z.string().nullable(),
  state: z.enum(importStates),
  failure: z.enum(importFailures).nullable(),
  /** Number of rows; 0 until the file was read. */
  total: z.number().int(),
  done: z.number().int(),
  created: z.number().int(),
  /** Contacts whose number existed already; they stay unchanged. */
  known: z.number().int(),
  refused: z.number().int(),
  /** The first refused rows, with their line in the file. */
  refusedRows: z.array(
    z.object({ line: z.number().int(), name: z.string(), number: z.string(), reason: z.enum(refusalReasons) }),
  ),
  createdAt: instant,
  finishedAt: instant.nullable(),
});
export type ContactImport = z.output<typeof contactImport>;

export const contactImports = {
  start: endpoint({
    method: "POST",
    path: "/contacts/import",
    summary:
      "Take in a csv, xls, xlsx or vcf file by its headings or by `columns`; without a file, the people that the company's lines have seen in chats",
    access: { who: "session" },
    body: z.object({
      /** JSON of `importColumns`, where the headings of the file do not tell. */
      columns: z
        .string()
        .max(400_000)
        .transform((text, context) => parseJson(text, context, "Not JSON"))
        .pipe(importColumns)
        .optional(),
    }),
    files: { field: "file", max: 1 },
    response: contactImport,
  }),
  preview: endpoint({
    method: "POST",
    path: "/contacts/import/preview",
    summary: "The first rows of a csv, xls, xlsx or vcf file, and what its columns seem to be; nothing is taken in",
    access: { who: "session" },
    files: { field: "file", max: 1, required: true },
    response: sheetPreview,
  }),
  latest: endpoint({
    method: "GET",
    path: "/contacts/imports/latest",
    summary: "One's own latest import, and how far it is",
    access: { who: "session" },
    response: z.object({ import: contactImport.nullable() }),
  }),
  cancel: endpoint({
    method: "POST",
    path: "/contacts/imports/:id/cancel",
    summary: "Stop an import; what was taken in stays",
    access: { who: "session" },
    params: idParams,
    response: contactImport,
  }),
} as const;
