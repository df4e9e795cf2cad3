import { AppError } from "../ctx.ts";
import type { CompanyStatus } from "./sessions.ts";

/**
 * The error of a closed company, disabled by the operator or past its due date; undefined when it is open. Checked at
 * sign-in, refresh, each request, socket handshake and join.
 */
export function companyClosedError(
  { isActive, paid }: Pick<CompanyStatus, "isActive" | "paid">,
  now: Date,
): AppError | undefined {
  if (!isActive) {
    return new AppError("ERR_COMPANY_DISABLED");
  }
  return paid && paid.endsAt <= now ? new AppError("ERR_SUBSCRIPTION_EXPIRED", { dueDate: paid.lastDay }) : undefined;
}
