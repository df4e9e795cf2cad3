export { IntegrationType, typeNames } from "./IntegrationType.tsx";
export { QueueIntegrationDialog } from "./QueueIntegrationDialog.tsx";
export { queueIntegrationsRealtime, queueIntegrationsResource, useIntegrationNames } from "./queue-integrations.api.ts";
export { integrationMessages } from "./queue-integrations.i18n.ts";
export { CallsDialog } from "./CallsDialog.tsx";
export { IntegrationTestDialog } from "./IntegrationTestDialog.tsx";
