import { AppError } from "../ctx.ts";
import type { CompanyStatus } from "./sessions.ts";

/**
 * Why a company is closed to its people, or undefined where it is open: switched off by the operator, or past its due
 * date. Asked wherever somebody comes in: sign-in, refresh, each request, a socket's handshake and what it joins.
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
