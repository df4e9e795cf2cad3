export { findBilledCompanies, findSummary, isCompany } from "./operator.queries.ts";
