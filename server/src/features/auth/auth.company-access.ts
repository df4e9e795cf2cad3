import { isAdmin } from "@prosa/contract";
import { companyClosedError } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { CompanyAccess } from "./auth.queries.ts";

/**
 * the error where a person may not use their company's account, or undefined. An overdue company is closed except
 * to its admin, who can pay; a disabled company is closed to everybody.
 */
export function companyAccessError(person: CompanyAccess, now: Date): AppError | undefined {
  const { due_date: lastDay, overdue_from: endsAt } = person;
  const paid = lastDay !== null && endsAt !== null ? { lastDay, endsAt } : null;
  const closed = companyClosedError({ isActive: person.is_active, paid }, now);
  if (closed?.code !== "ERR_SUBSCRIPTION_EXPIRED") {
    return closed;
  }
  return isAdmin({ profile: person.profile, isSuper: person.is_super })
    ? undefined
    : new AppError("ERR_SUBSCRIPTION_EXPIRED", { dueDate: lastDay });
}
