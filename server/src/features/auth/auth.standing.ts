import { isAdmin } from "@prosa/contract";
import { companyClosedError } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Standing } from "./auth.queries.ts";

/**
 * why a company does not let this person in, or undefined. One that has not paid is closed, except that its admin
 * gets in to pay; one that is switched off is closed to everybody.
 */
export function refusedBecause(person: Standing, now: Date): AppError | undefined {
  const { due_date: lastDay, overdue_from: endsAt } = person;
  const paid = lastDay !== null && endsAt !== null ? { lastDay, endsAt } : null;
  const closed = companyClosedError({ isActive: person.is_active, paid }, now);
  if (closed?.code !== "ERR_SUBSCRIPTION_EXPIRED") {
    return closed;
  }
  return isAdmin({ profile: person.profile, isSuper: person.is_super })
    ? undefined
    : new AppError("ERR_SUBSCRIPTION_EXPIRED", {
        dueDate: lastDay,
        message: `Opss! Sua assinatura venceu ${brazilianDay(lastDay ?? "")}. Entre em contato com o Suporte para mais informações!`,
      });
}

/** "2026-03-01" as "01/03/2026". */
function brazilianDay(day: string): string {
  return day.split("-").toReversed().join("/");
}
