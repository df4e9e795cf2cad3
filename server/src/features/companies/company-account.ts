import type { CompanyAccount, CompanyAccountChanges } from "@prosa/contract";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import { tokenHashOf, tokenTaken, withToken } from "#server/platform/auth/index.ts";
import type { AppError, Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import { companyEvent } from "./companies.events.ts";
import { findCompanyAccount, saveCompany } from "./companies.queries.ts";
import type { CompanyAccountUpdate } from "./companies.queries.ts";
import { checkOwnCompany } from "./company-profile.ts";

/** Billing and API token of the actor's own company; ERR_NOT_FOUND for another one. */
export async function getAccount(ctx: Ctx, id: number): Promise<CompanyAccount> {
  checkOwnCompany(ctx, id);
  return findCompanyAccount(ctx);
}

/** Changes what is given. Throws ERR_NOT_FOUND, and ERR_VALIDATION for a token that somebody has already. */
export async function saveAccount(ctx: Ctx, id: number, changes: CompanyAccountChanges): Promise<CompanyAccount> {
  checkOwnCompany(ctx, id);
  const columns = accountColumnsOf(changes);
  if (Object.keys(columns).length > 0) {
    const before = await findCompanyAccount(ctx);
    await refuseTakenToken(() => saveCompany(ctx, columns));
    ctx.emit(companyEvent("updated", ctx.companyId));
    const details = changedFields({ ...before }, changes, ["token"]);
    if (details) {
      await recordAudit(ctx, { action: "company.updated", target: { type: "company", id }, details });
    }
  }
  return withToken(await findCompanyAccount(ctx), changes.token);
}

/** Given fields as columns. */
export function accountColumnsOf(changes: CompanyAccountChanges): CompanyAccountUpdate {
  const columns = {
    billing_name: changes.billingName,
    address_zip_code: changes.addressZipCode,
    address_street: changes.addressStreet,
    address_district: changes.addressDistrict,
    address_city: changes.addressCity,
    address_state: changes.addressState,
    tax_id: changes.taxId,
    token_hash: tokenHashOf(changes.token),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

async function refuseTakenToken<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    throw tokenError(error) ?? error;
  }
}

/** The refusal of a token that somebody has already; undefined for another error. */
export function tokenError(error: unknown): AppError | undefined {
  return brokenConstraint(error) === "companies_token_hash_key" ? tokenTaken(error) : undefined;
}
