import type { QueueIntegration } from "@prosa/contract/queue-integrations";
import { Plug } from "lucide-react";
import {
  integrationMessages,
  IntegrationType,
  QueueIntegrationDialog,
  queueIntegrationsRealtime,
  queueIntegrationsResource,
} from "#web/features/queue-integrations/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";

registerRealtime(queueIntegrationsRealtime);

/** /queue-integration: external systems that a queue or a connection may be given to (O-09). */
export function QueueIntegrations() {
  return (
    <RecordList
      resource={queueIntegrationsResource}
      texts={integrationMessages}
      icon={<Plug />}
      columns={useColumns()}
      nameOf={({ name }) => name}
      form={(integration, onClose) => <QueueIntegrationDialog integration={integration} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<QueueIntegration>[] {
  const t = useMessages(integrationMessages);
  return [
    { key: "name", title: t("name"), width: "minmax(140px, 2fr)", cell: ({ name }) => name },
    { key: "type", title: t("type"), width: "minmax(130px, 1fr)", cell: ({ type }) => <IntegrationType type={type} /> },
    { key: "id", title: t("id"), width: "80px", align: "right", cell: ({ id }) => id },
  ];
}
