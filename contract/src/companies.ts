import { z } from "zod";
import { day, id } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { plan } from "./plans.ts";
import { schedules } from "./queues.ts";

/** How often a company pays; the months that one payment adds (specification 2 section 4). */
export const recurrenceMonths = { MENSAL: 1, BIMESTRAL: 2, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 } as const;
export type Recurrence = keyof typeof recurrenceMonths;

export const companyPlan = z.object({
  id: z.number().int(),
  name: z.string(),
  dueDate: day.nullable(),
  plan: plan.nullable(),
});
export type CompanyPlan = z.output<typeof companyPlan>;

/** By its name: an offset such as "-03:00" knows no summer time. */
export const timeZone = z.string().max(60).refine(isTimeZone, "Invalid time zone");
export const companyLanguage = z.enum(["pt", "en", "es"]);

/** What a company says of itself: where its clock stands, how it speaks, and when it is open. */
export const companyProfile = z.object({
  id: z.number().int(),
  name: z.string(),
  timeZone: z.string(),
  language: companyLanguage,
  schedules,
});
export type CompanyProfile = z.output<typeof companyProfile>;

const own = { access: { who: "admin" }, params: z.object({ id }), response: companyProfile } as const;

export const companies = {
  get: endpoint({
    method: "GET",
    path: "/companies/:id",
    summary: "One's own company",
    access: { who: "session" },
    params: z.object({ id }),
    response: companyProfile,
  }),
  saveSchedules: endpoint({
    method: "PUT",
    path: "/companies/:id/schedules",
    summary: "Change the company's service hours (G-03)",
    ...own,
    body: z.object({ id: id.optional(), schedules }),
  }),
  saveLocale: endpoint({
    method: "PUT",
    path: "/companies/:id/locale",
    summary: "Change the company's time zone and language",
    ...own,
    body: z.object({ timeZone, language: companyLanguage }),
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

/** Names of places only, which the database understands as well. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+)+)$/u.test(name);
  } catch {
    return false;
  }
}
