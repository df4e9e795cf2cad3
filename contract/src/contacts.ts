import { z } from "zod";
import {
  changesOf,
  dayOrNone,
  digits,
  done,
  emailAddress,
  id,
  idParams,
  instant,
  name2to50,
  paged,
  pageNumber,
  searchParam,
} from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const contact = z.object({
  id: z.number().int(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  isGroup: z.boolean(),
  urlPicture: z.string().nullable(),
  profilePicUrl: z.string().nullable(),
  isBlocked: z.boolean(),
  extraInfo: z.array(z.object({ name: z.string(), value: z.string() })),
  createdAt: instant,
  updatedAt: instant,
});
export type Contact = z.output<typeof contact>;

/** A contact that is asked for by its id. */
export const contactDetails = contact.extend({
  /** The connection of the conversation that was written in last; null without one that there still is (0300). */
  whatsapp: z.object({ id: z.number().int(), name: z.string() }).nullable(),
});
export type ContactDetails = z.output<typeof contactDetails>;

/** Contact fields for lists and message bubbles. */
export const contactSummary = contact.pick({
  id: true,
  name: true,
  number: true,
  email: true,
  isGroup: true,
  urlPicture: true,
  profilePicUrl: true,
});
export type ContactSummary = z.output<typeof contactSummary>;

/** Pieces of extra information of one contact. */
export const maxExtraInfo = 50;
const extraInfo = z.object({ name: z.string().trim().min(1, "Required").max(100), value: z.string().trim().max(500) });

/** Specification 1 section 5: name 2–50, number 8–50, e-mail valid when given. */
export const contactBody = z.object({
  name: name2to50,
  number: z
    .string()
    .min(8, "Too Short!")
    .max(50, "Too Long!")
    .pipe(digits)
    .pipe(z.string().min(8, "Too Short!").max(20, "Too Long!")),
  email: z.union([z.literal(""), emailAddress]).default(""),
  extraInfo: z.array(extraInfo).max(maxExtraInfo).default([]),
});
export type ContactBody = z.output<typeof contactBody>;

/** Changes of a contact. One whom WhatsApp shows by a LID alone has an empty number, which may stay so. */
export const contactChanges = changesOf(
  contactBody.extend({
    number: z
      .string()
      .max(50, "Too Long!")
      .pipe(digits)
      .pipe(
        z
          .string()
          .max(20, "Too Long!")
          .refine((number) => number === "" || number.length >= 8, "Too Short!"),
      ),
  }),
).extend({
  /**
   * The extra information as its editor has read it. Of what is named here, what `extraInfo` leaves out is deleted, and what others have
   * deleted stays deleted; what is not named was added by others, and stays. Without it `extraInfo` is all that there is.
   */
  knownExtraInfo: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .max(1_000)
    .optional(),
});
export type ContactChanges = z.output<typeof contactChanges>;

/** Time in which a merge can be undone. */
export const undoMergeWithinMinutes = 10;

export const contactMerge = z.object({
  id: z.number().int(),
  /** The contact that is kept, with the records of both. */
  contact,
  undoUntil: instant,
});
export type ContactMerge = z.output<typeof contactMerge>;

export const contacts = {
  list: endpoint({
    method: "GET",
    path: "/contacts",
    summary: "Contacts, a page at a time, by name",
    access: { who: "session" },
    query: z.object({
      searchParam,
      pageNumber,
      /** Created on this day or in this range, both included, in the company's time zone. */
      date: dayOrNone,
      dateStart: dayOrNone,
      dateEnd: dayOrNone,
    }),
    /** With a text that many contacts contain, `count` stops one behind the page: `hasMore` is right, the end is not known. */
    response: paged("contacts", contact),
  }),
  lookup: endpoint({
    method: "GET",
    path: "/contacts/list",
    summary: "Up to 50 contacts for a picker",
    access: { who: "session" },
    query: z.object({
      companyId: z.string().optional(),
      name: searchParam.optional(),
      searchParam: searchParam.optional(),
    }),
    response: z.array(contactSummary),
  }),
  export: endpoint({
    method: "GET",
    path: "/contacts/export",
    summary: "Every person as contatos.csv: name;number;email, streamed",
    access: { who: "session" },
    response: z.string(),
    isSlow: true,
  }),
  get: endpoint({
    method: "GET",
    path: "/contacts/:id",
    summary: "One contact, with the connection of its last conversation",
    access: { who: "session" },
    params: idParams,
    response: contactDetails,
  }),
  create: endpoint({
    method: "POST",
    path: "/contacts",
    summary: "Add a contact; the number is checked on WhatsApp",
    access: { who: "session" },
    body: contactBody,
    response: contact,
  }),
  update: endpoint({
    method: "PUT",
    path: "/contacts/:id",
    summary: "Change a contact",
    access: { who: "session" },
    params: idParams,
    body: contactChanges,
    response: contact,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/contacts/:id",
    summary: "Delete a contact with its conversations",
    access: { who: "session", rule: "contacts-page:deleteContact" },
    params: idParams,
    response: done,
  }),
  block: endpoint({
    method: "PUT",
    path: "/contacts/:id/block",
    summary: "Block a contact: nobody writes to them until they are unblocked",
    access: { who: "session" },
    params: idParams,
    body: z.object({ blocked: z.boolean() }),
    response: contact,
  }),
  merge: endpoint({
    method: "POST",
    path: "/contacts/:id/merge",
    summary: "Two contacts are one person: the other's conversations, notes and numbers go into this one",
    access: { who: "session", rule: "contacts-page:deleteContact" },
    params: idParams,
    body: z.object({ contactId: id }),
    response: contactMerge,
  }),
  undoMerge: endpoint({
    method: "POST",
    path: "/contacts/merges/:id/undo",
    summary: "Take a merge back, within ten minutes",
    access: { who: "session", rule: "contacts-page:deleteContact" },
    params: idParams,
    response: z.object({ contact, restored: contact }),
  }),
} as const;
