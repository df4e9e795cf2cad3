import { z } from "zod";
import { setting } from "./auth.ts";
import {
  changesOf,
  day,
  done,
  emailAddress,
  id,
  idParams,
  name2to50,
  newToken,
  pageNumber,
  paged,
  searchParam,
} from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { languages } from "./i18n.ts";
import { plan } from "./plans.ts";
import { companySupport } from "./support.ts";
import { savedSchedules, schedules } from "./queues.ts";
import { taxId } from "./tax-id.ts";
import { userBody } from "./users.ts";

/** Payment interval of a company, in months (specification 2 section 4). */
export const recurrenceMonths = { MENSAL: 1, BIMESTRAL: 2, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 } as const;
export type Recurrence = keyof typeof recurrenceMonths;
export const recurrences = Object.keys(recurrenceMonths) as [Recurrence, ...Recurrence[]];

export const companyPlan = z.object({
  id: z.number().int(),
  name: z.string(),
  dueDate: day.nullable(),
  plan: plan.nullable(),
});
export type CompanyPlan = z.output<typeof companyPlan>;

/** Time zone by name, because an offset such as "-03:00" has no daylight saving time. */
export const timeZone = z.string().max(60).refine(isTimeZone, "Invalid time zone");
export const companyLanguage = z.enum(languages);

/** Own settings of a company: time zone, language and service hours. */
export const companyProfile = z.object({
  id: z.number().int(),
  name: z.string(),
  timeZone: z.string(),
  language: companyLanguage,
  schedules,
});
export type CompanyProfile = z.output<typeof companyProfile>;

const shortText = z.string().trim().max(200, "Too Long!").default("");

const companyBilling = z.object({
  billingName: shortText,
  addressZipCode: z.string().trim().max(20, "Too Long!").default(""),
  addressStreet: shortText,
  addressDistrict: shortText,
  addressCity: shortText,
  addressState: shortText,
  taxId: taxId.default(""),
});

/** Whom an invoice of the company is for, where (specification 2 section 3), and its API token, for its admins. */
export const companyAccount = z.object({
  billingName: z.string(),
  addressZipCode: z.string(),
  addressStreet: z.string(),
  addressDistrict: z.string(),
  addressCity: z.string(),
  addressState: z.string(),
  /** Digits of a CPF or CNPJ. */
  taxId: z.string(),
  /** Whether an API token is set; the token itself is only in the answer to saving it. */
  hasToken: z.boolean(),
  token: z.string().optional(),
});
export type CompanyAccount = z.output<typeof companyAccount>;

export const companyAccountChanges = changesOf(companyBilling.extend({ token: newToken }));
export type CompanyAccountChanges = z.output<typeof companyAccountChanges>;

/** A company as the operator sees it (Y-01). */
export const companyRecord = companyAccount.extend({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  planId: z.number().int().nullable(),
  plan: plan.nullable(),
  /** False: its users cannot sign in. */
  status: z.boolean(),
  campaignsEnabled: z.boolean(),
  /** Last paid day; null: unlimited. */
  dueDate: day.nullable(),
  /** The day of the month that it stands for: 31 on February 28 where it was January 31; null without a due date. */
  dueDay: z.number().int().nullable(),
  recurrence: z.enum(recurrences),
  /** In trial until the due date. A payment ends that, and so does a due date that the operator sets without it. */
  isTrial: z.boolean(),
  createdAt: z.string(),
  settings: z.array(setting),
  /** In the operator's list of companies. */
  support: companySupport.optional(),
});
export type CompanyRecord = z.output<typeof companyRecord>;

/** One's own profile, or any company for the operator: its record and its profile. */
export const companyDetails = companyProfile.extend(companyRecord.omit({ id: true, name: true }).partial().shape);
export type CompanyDetails = z.output<typeof companyDetails>;

const companyFields = companyBilling.extend({
  name: name2to50,
  email: emailAddress,
  phone: z.string().trim().max(30).default(""),
  planId: id,
  status: z.boolean().default(true),
  campaignsEnabled: z.boolean().default(true),
  dueDate: z.union([day, z.literal("").transform(() => null), z.null()]).default(null),
  recurrence: z.enum(recurrences).default("MENSAL"),
  /** The trial lasts until the due date (decision 0273). */
  isTrial: z.boolean().default(false),
  token: newToken,
});

/** The e-mail of the company is the sign-in of its first admin. */
export const companyBody = companyFields.extend({ password: userBody.shape.password });

/** The specification requires e-mail and plan alone: the name is then the e-mail, and the password is made (decision 0150). */
const newCompany = companyBody.extend({
  name: z.union([z.literal(""), companyBody.shape.name]).default(""),
  password: z.union([z.literal(""), companyBody.shape.password]).default(""),
});
export type NewCompanyBody = z.output<typeof newCompany>;

/** Absent fields stay unchanged. */
export const companyChanges = changesOf(companyFields);
export type CompanyChanges = z.output<typeof companyChanges>;

// Also when the operator's own company is overdue, because nobody else could change its due date.
const operator = { access: { who: "super", whenOverdue: true } } as const;

const own = { access: { who: "admin" }, params: z.object({ id }), response: companyProfile } as const;

export const companies = {
  list: endpoint({
    method: "GET",
    path: "/companies",
    summary: "Companies of the installation, a page at a time (Y-01)",
    ...operator,
    query: z.object({ searchParam, pageNumber }),
    response: paged("companies", companyRecord),
  }),
  lookup: endpoint({
    method: "GET",
    path: "/companies/list",
    summary: "Every company of the installation (Y-01)",
    ...operator,
    response: z.array(companyRecord),
  }),
  create: endpoint({
    method: "POST",
    path: "/companies",
    summary: "Add a company with its first admin (Y-01)",
    ...operator,
    body: newCompany,
    /** With the password of its first admin where none was given: shown this once, to be handed over. */
    response: companyRecord.extend({ adminPassword: z.string().optional() }),
  }),
  update: endpoint({
    method: "PUT",
    path: "/companies/:id",
    summary: "Change a company (Y-01)",
    ...operator,
    params: idParams,
    body: companyChanges,
    response: companyRecord,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/companies/:id",
    summary: "Delete a company with all that it has (Y-01)",
    ...operator,
    params: idParams,
    response: done,
  }),
  get: endpoint({
    method: "GET",
    path: "/companies/:id",
    summary: "The profile of one's own company; any company's record for the operator",
    access: { who: "session" },
    params: z.object({ id }),
    response: companyDetails,
  }),
  saveSchedules: endpoint({
    method: "PUT",
    path: "/companies/:id/schedules",
    summary: "Change the company's service hours (G-03)",
    ...own,
    body: z.object({ id: id.optional(), schedules: savedSchedules }),
  }),
  saveLocale: endpoint({
    method: "PUT",
    path: "/companies/:id/locale",
    summary: "Change the company's time zone and language",
    ...own,
    body: changesOf(z.object({ timeZone, language: companyLanguage })),
  }),
  // Also of an overdue company, which pays with them.
  account: endpoint({
    method: "GET",
    path: "/companies/:id/account",
    summary: "Billing address of one's own company, and whether it has an API token",
    access: { who: "admin", whenOverdue: true },
    params: z.object({ id }),
    response: companyAccount,
  }),
  saveAccount: endpoint({
    method: "PUT",
    path: "/companies/:id/account",
    summary: "Change the billing address and the API token of one's own company",
    access: { who: "admin", whenOverdue: true },
    params: z.object({ id }),
    body: companyAccountChanges,
    response: companyAccount,
  }),
  listPlan: endpoint({
    method: "GET",
    path: "/companies/listPlan/:companyId",
    summary: "A company's plan: one's own, or any for the operator",
    access: { who: "session", whenOverdue: true },
    params: z.object({ companyId: id }),
    response: companyPlan,
  }),
} as const;

/** IANA names of places, which PostgreSQL knows as well. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+)+)$/u.test(name);
  } catch {
    return false;
  }
}
