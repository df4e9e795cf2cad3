export type { CompanyClock } from "./companies.queries.ts";
export { deleteCompany, findCompanies, isSwitchedOn } from "./companies.queries.ts";
export { companyClockOf, createCompany } from "./companies.service.ts";
export type { NewCompany } from "./companies.service.ts";
export { companyProfileOf } from "./company-profile.ts";
