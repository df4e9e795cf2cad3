import { z } from "zod";
import {
  changesOf,
  done,
  id,
  idParams,
  instant,
  name2to50,
  paged,
  pageNumber,
  parseJson,
  searchParam,
} from "./common.ts";
import { contactImport, importColumns } from "./contact-imports.ts";
import { contactBody } from "./contacts.ts";
import { endpoint } from "./endpoint.ts";

export const contactListRules = {
  /** Most contacts that one fill takes. */
  maxFill: 50_000,
  /** Numbers that a line is asked about at once. */
  checkBatch: 50,
} as const;

/**
 * Whether the numbers of a list are being checked on WhatsApp. `waiting`: no line is connected; it goes on by itself.
 * `failed`: the line did not answer; it goes on when somebody asks again.
 */
export const numberCheckStates = ["idle", "running", "waiting", "failed"] as const;

export const contactList = z.object({
  id: z.number().int(),
  name: z.string(),
  companyId: z.number().int(),
  contactsCount: z.number().int(),
  /** Those whose number is on WhatsApp. */
  validCount: z.number().int(),
  /** Those whose number was checked and is not. The rest is not checked yet. */
  invalidCount: z.number().int(),
  checkState: z.enum(numberCheckStates),
  /** Items that the last check took off: another spelling of a person who is in the list. */
  duplicatesRemoved: z.number().int(),
  createdAt: instant,
});
export type ContactList = z.output<typeof contactList>;

export const contactListItem = z.object({
  id: z.number().int(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  /** Null: not checked yet. */
  isWhatsappValid: z.boolean().nullable(),
  companyId: z.number().int(),
  contactListId: z.number().int(),
});
export type ContactListItem = z.output<typeof contactListItem>;

/** Specification 2 section 5: name 2–50. The company is the caller's. */
export const contactListBody = z.object({ name: name2to50, companyId: z.unknown().optional() });

/** Specification 2 section 5: name 2–50, number 8–50, e-mail valid when given. */
export const contactListItemBody = contactBody.pick({ name: true, number: true, email: true });
const newItemBody = contactListItemBody.extend({ contactListId: id });

/** An import into a list: the report has the first refused rows, `refused` downloads all. */
export const contactListImport = contactImport.omit({ source: true }).extend({ contactListId: z.number().int() });
export type ContactListImport = z.output<typeof contactListImport>;

const access = { who: "admin", plan: "useCampaigns" } as const;
const list = { params: idParams, access, response: contactList } as const;
const item = { params: idParams, access, response: contactListItem } as const;

export const contactLists = {
  list: endpoint({
    method: "GET",
    path: "/contact-lists",
    summary: "Contact lists by name, a page at a time",
    access,
    query: z.object({ searchParam, pageNumber }),
    response: paged("records", contactList),
  }),
  lookup: endpoint({
    method: "GET",
    path: "/contact-lists/list",
    summary: "Every contact list of the company, for a picker",
    access,
    query: z.object({ companyId: z.string().optional() }),
    response: z.array(contactList),
  }),
  get: endpoint({ method: "GET", path: "/contact-lists/:id", summary: "One contact list with its counts", ...list }),
  create: endpoint({
    method: "POST",
    path: "/contact-lists",
    summary: "Add a contact list",
    access,
    body: contactListBody,
    response: contactList,
  }),
  update: endpoint({
    method: "PUT",
    path: "/contact-lists/:id",
    summary: "Rename a contact list",
    ...list,
    body: changesOf(contactListBody),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/contact-lists/:id",
    summary: "Delete a contact list; not one that a scheduled or running campaign writes to",
    params: idParams,
    access,
    response: done,
  }),
  upload: endpoint({
    method: "POST",
    path: "/contact-lists/:id/upload",
    summary: "Take the rows of a csv, xls, xlsx or vcf file into the list, by its headings or by `columns`",
    params: idParams,
    access,
    body: z.object({
      /** JSON of `importColumns`, where the headings of the file do not tell. */
      columns: z
        .string()
        .max(400_000)
        .transform((text, context) => parseJson(text, context, "Not JSON"))
        .pipe(importColumns)
        .optional(),
    }),
    files: { field: "file", max: 1, required: true },
    response: contactListImport,
  }),
  latestImport: endpoint({
    method: "GET",
    path: "/contact-lists/:id/import",
    summary: "The latest import into the list, and how far it is",
    params: idParams,
    access,
    response: z.object({ import: contactListImport.nullable() }),
  }),
  cancelImport: endpoint({
    method: "POST",
    path: "/contact-lists/:id/import/cancel",
    summary: "Stop the import; what was taken in stays",
    params: idParams,
    access,
    response: z.object({ import: contactListImport.nullable() }),
  }),
  refusedRows: endpoint({
    method: "GET",
    path: "/contact-lists/:id/import/refused",
    summary: "Every row that the latest import refused, with its reason, as csv",
    params: idParams,
    access,
    response: z.string(),
    isSlow: true,
  }),
  fill: endpoint({
    method: "POST",
    path: "/contact-lists/:id/fill",
    summary:
      "Add the contacts whose conversations have one of these tags, or that a search finds; no groups, no blocked ones",
    params: idParams,
    access,
    body: z.object({ tagIds: z.array(id).max(50).default([]), searchParam }),
    response: z.object({ added: z.number().int(), known: z.number().int(), contactList }),
  }),
  check: endpoint({
    method: "POST",
    path: "/contact-lists/:id/check",
    summary: "Check on WhatsApp the numbers that were not checked yet; `again`: all of them",
    ...list,
    body: z.object({ again: z.boolean().default(false) }),
  }),
} as const;

export const contactListItems = {
  list: endpoint({
    method: "GET",
    path: "/contact-list-items",
    summary: "The contacts of a list by name, a page at a time",
    access,
    query: z.object({ searchParam, pageNumber, contactListId: id }),
    /** With a text `count` stops one behind the page: `hasMore` is right, the end is not known. */
    response: paged("contacts", contactListItem),
  }),
  get: endpoint({ method: "GET", path: "/contact-list-items/:id", summary: "One contact of a list", ...item }),
  create: endpoint({
    method: "POST",
    path: "/contact-list-items",
    summary: "Add a contact to a list; its number is checked in the background",
    access,
    body: newItemBody,
    response: contactListItem,
  }),
  update: endpoint({
    method: "PUT",
    path: "/contact-list-items/:id",
    summary: "Change a contact of a list; another number is checked again",
    ...item,
    body: changesOf(contactListItemBody),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/contact-list-items/:id",
    summary: "Take a contact off its list",
    params: idParams,
    access: { ...access, rule: "contacts-page:deleteContact" },
    response: done,
  }),
} as const;
