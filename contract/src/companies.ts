import { z } from "zod";
import { day, id } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { plan } from "./plans.ts";

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

export const companies = {
  listPlan: endpoint({
    method: "GET",
    path: "/companies/listPlan/:companyId",
    summary: "A company's plan: one's own, or any for the operator",
    access: { who: "session", whenOverdue: true },
    params: z.object({ companyId: id }),
    response: companyPlan,
  }),
} as const;
