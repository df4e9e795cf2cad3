export type { CompanyService } from "./companies.queries.ts";
export { deleteCompany, findCompanies, isCompanyActive } from "./companies.queries.ts";
export { companyLocaleOf, createCompany, firstDueDate, renewForAYear } from "./companies.service.ts";
export type { NewCompany } from "./companies.service.ts";
export { companyProfileOf, companyServiceOf } from "./company-profile.ts";
