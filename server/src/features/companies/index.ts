export type { CompanyClock } from "./companies.queries.ts";
export { findCompanyIdByName } from "./companies.queries.ts";
export { companyClockOf, createCompany } from "./companies.service.ts";
export type { NewCompany } from "./companies.service.ts";
