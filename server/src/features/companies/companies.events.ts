import { z } from "zod";
import type { DomainEvent, NewJob } from "#server/platform/ctx.ts";

/** Emitted in the company that changed. */
export function companyEvent(what: "created" | "updated" | "deleted", companyId: number): DomainEvent {
  return { type: `company.${what}`, payload: { companyId } };
}

/** The company has another time zone: times of day and days are others. */
export const timeZoneChanged: DomainEvent = { type: "company.timeZoneChanged", payload: {} };

export const companiesChangedSchema = z.object({ userIds: z.array(z.number().int()) });

/** Emitted in an operator's company: some company was created, changed or deleted. */
export function companiesChanged(userIds: readonly number[]): DomainEvent {
  return { type: "companies.changed", payload: { userIds: [...userIds] } };
}

export const eraseCompanySchema = z.object({ companyId: z.number().int() });

/** Job that belongs to no company, because the company is being deleted. */
export function eraseCompany(companyId: number): NewJob {
  return { task: "companies.erase", payload: { companyId }, maxAttempts: 20, priority: "bulk" };
}
