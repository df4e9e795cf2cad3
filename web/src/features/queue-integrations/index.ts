export { IntegrationType, typeNames } from "./IntegrationType.tsx";
export { QueueIntegrationDialog } from "./QueueIntegrationDialog.tsx";
export {
  integrationUseRealtime,
  queueIntegrationsRealtime,
  queueIntegrationsResource,
  useIntegrationNames,
} from "./queue-integrations.api.ts";
export { integrationMessages } from "./queue-integrations.i18n.ts";
export { CallsDialog } from "./CallsDialog.tsx";
export { IntegrationState, IntegrationUse, useDeleteText } from "./IntegrationState.tsx";
export { IntegrationTestDialog } from "./IntegrationTestDialog.tsx";
