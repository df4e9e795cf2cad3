export { asaasToken } from "./asaas-token.ts";
export { asaasWebhookToken, createOpenProvider, realHosts } from "./open-provider.ts";
export type { OpenProvider, ProviderHosts } from "./open-provider.ts";
export { findBillingSettings, sealedAccounts } from "./settings.queries.ts";
export type { BillingSettingsRow, ProviderWithAccount } from "./settings.queries.ts";
export { getBillingSettings, saveBillingSettingsOf } from "./settings.service.ts";
export { efiWebhookUrl, isEfiSecret, REGISTER_TASK } from "./webhook-addresses.ts";
