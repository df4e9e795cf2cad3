export { InvoiceList, SubscriptionPage } from "#web/features/invoices/index.ts";
