import { z } from "zod";
import { done, id, idParams, instant, paged, pageNumber } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const contactErasure = z.object({
  id: z.number().int(),
  contactId: z.number().int(),
  /** Who asked for it; null after that user was deleted. */
  userName: z.string().nullable(),
  requestedAt: instant,
  state: z.enum(["waiting", "running", "finished"]),
  /** Rows that were erased so far. */
  erased: z.number().int(),
  finishedAt: instant.nullable(),
});
export type ContactErasure = z.output<typeof contactErasure>;

export const contactExport = z.object({
  id: z.number().int(),
  contactId: z.number().int(),
  userName: z.string().nullable(),
  state: z.enum(["waiting", "finished", "failed"]),
  /** Bytes. */
  size: z.number().nullable(),
  requestedAt: instant,
  /** From then on the file is gone. */
  expiresAt: instant.nullable(),
});
export type ContactExport = z.output<typeof contactExport>;

/** Days that resolved conversations are kept; null: for ever. */
const retentionDays = z.number().int().min(1).max(36_500).nullable();

const retention = z.object({
  /** Of conversations without a queue, and of queues without days of their own. */
  companyDays: retentionDays,
  queues: z.array(z.object({ id: z.number().int(), name: z.string(), days: retentionDays })),
});
export type Retention = z.output<typeof retention>;

/** What is not named keeps its days: two admins who change one each do not take the other's back. */
const retentionChanges = z.object({
  companyDays: retentionDays.optional(),
  queues: z
    .array(z.object({ id, days: retentionDays }))
    .max(1_000)
    .default([]),
});
export type RetentionChanges = z.output<typeof retentionChanges>;

const admins = { access: { who: "admin" } } as const;

export const privacy = {
  export: endpoint({
    method: "POST",
    path: "/contacts/:id/export",
    summary: "Have all data of a contact written into an archive: a page to read, JSON and files",
    ...admins,
    params: idParams,
    response: contactExport,
  }),
  exports: endpoint({
    method: "GET",
    path: "/contacts/:id/exports",
    summary: "The archives of a contact's data that still lie, the latest first",
    ...admins,
    params: idParams,
    response: z.object({ records: z.array(contactExport) }),
  }),
  download: endpoint({
    method: "POST",
    path: "/privacy/exports/:id/download",
    summary: "The archive of a contact's data as a zip file",
    ...admins,
    params: idParams,
    response: z.string(),
  }),
  erase: endpoint({
    method: "POST",
    path: "/contacts/:id/erase",
    summary:
      "Erase all data of a contact for good; `confirmation` is the contact's number, or its name where it has none",
    ...admins,
    params: idParams,
    body: z.object({ confirmation: z.string().trim().min(1).max(300) }),
    response: contactErasure,
  }),
  erasures: endpoint({
    method: "GET",
    path: "/privacy/erasures",
    summary: "Erasures of contacts, the latest first, a page at a time",
    ...admins,
    query: z.object({ pageNumber }),
    response: paged("records", contactErasure),
  }),
  retention: endpoint({
    method: "GET",
    path: "/privacy/retention",
    summary: "How many days resolved conversations are kept, by company and by queue",
    ...admins,
    response: retention,
  }),
  previewRetention: endpoint({
    method: "POST",
    path: "/privacy/retention/preview",
    summary: "How many messages and files these days would delete now",
    ...admins,
    body: retentionChanges,
    response: z.object({ messages: z.number().int(), files: z.number().int() }),
  }),
  saveRetention: endpoint({
    method: "PUT",
    path: "/privacy/retention",
    summary: "Change how many days resolved conversations are kept",
    ...admins,
    body: retentionChanges,
    response: done,
  }),
} as const;
