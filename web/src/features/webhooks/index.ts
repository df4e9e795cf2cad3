export { WebhooksTab } from "./WebhooksTab.tsx";
export { webhooksRealtime } from "./webhooks.api.ts";
