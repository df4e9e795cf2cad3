export { companiesRealtime } from "./companies.api.ts";
export { CompaniesTab } from "./CompaniesTab.tsx";
