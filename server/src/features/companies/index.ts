export { emitCompaniesChanged } from "./companies-changed.ts";
export { timeZoneChanged } from "./companies.events.ts";
export type { CompanyService } from "./companies.queries.ts";
export { deleteCompany, findCompanies, isCompanyActive, lockDeleted, lockForPayment } from "./companies.queries.ts";
export {
  companyLocaleOf,
  createCompany,
  extendDueDate,
  firstDueDate,
  moveDueDate,
  publishClosingChanged,
  renewForAYear,
} from "./companies.service.ts";
export type { NewCompany } from "./companies.service.ts";
export { companyProfileOf, companyServiceOf } from "./company-profile.ts";
export { saveAccount } from "./company-account.ts";
