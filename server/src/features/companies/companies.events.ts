import { z } from "zod";
import type { DomainEvent, NewJob } from "#server/platform/ctx.ts";

/** Told in the company that it is about. */
export function companyEvent(what: "created" | "updated" | "deleted", companyId: number): DomainEvent {
  return { type: `company.${what}`, payload: { companyId } };
}

export const changedSchema = z.object({ userIds: z.array(z.number().int()) });

/** Told in an operator's company: some company is new, another, or gone. */
export function companiesChanged(userIds: readonly number[]): DomainEvent {
  return { type: "companies.changed", payload: { userIds: [...userIds] } };
}

export const eraseSchema = z.object({ companyId: z.number().int() });

/** Of the machinery: the company that it is about is going. */
export function eraseCompany(companyId: number): NewJob {
  return { task: "companies.erase", payload: { companyId }, maxAttempts: 20 };
}
