export { accountMessages } from "./account.i18n.ts";
export { AccountDialog } from "./AccountDialog.tsx";
export { companiesRealtime } from "./companies.api.ts";
export { CompaniesTab } from "./CompaniesTab.tsx";
