export { BillingTab } from "./BillingTab.tsx";
export { InvoiceList } from "./InvoiceList.tsx";
export { SubscriptionPage } from "./SubscriptionPage.tsx";
