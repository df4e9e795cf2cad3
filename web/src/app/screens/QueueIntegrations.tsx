import type { ListedIntegration } from "@prosa/contract/queue-integrations";
import { History, MessageCircleQuestion, Plug } from "lucide-react";
import { useState } from "react";
import {
  CallsDialog,
  integrationMessages,
  IntegrationState,
  IntegrationTestDialog,
  IntegrationType,
  IntegrationUse,
  integrationUseRealtime,
  QueueIntegrationDialog,
  queueIntegrationsRealtime,
  queueIntegrationsResource,
  useDeleteText,
} from "#web/features/queue-integrations/index.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { SecretDialog } from "#web/ui/dialogs/SecretDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { media } from "#web/ui/theme.ts";

registerRealtime(queueIntegrationsRealtime);
registerRealtime(integrationUseRealtime);

/** /queue-integration: external systems that a queue or a connection may be given to (O-09). */
export function QueueIntegrations() {
  const t = useMessages(integrationMessages);
  const [secret, setSecret] = useState<string>();
  const [called, setCalled] = useState<ListedIntegration>();
  const [tested, setTested] = useState<ListedIntegration>();
  return (
    <>
      <RecordList
        resource={queueIntegrationsResource}
        texts={integrationMessages}
        icon={<Plug />}
        columns={useColumns()}
        nameOf={({ name }) => name}
        deleteTextOf={useDeleteText()}
        rowActions={(row) => (
          <>
            <IconButton label={t("testOf", { name: row.name })} onClick={() => setTested(row)}>
              <MessageCircleQuestion />
            </IconButton>
            <IconButton label={t("callsOf", { name: row.name })} onClick={() => setCalled(row)}>
              <History />
            </IconButton>
          </>
        )}
        form={(integration, onClose) => (
          <QueueIntegrationDialog integration={integration} onSecret={setSecret} onClose={onClose} />
        )}
      />
      {called && <CallsDialog integration={called} onClose={() => setCalled(undefined)} />}
      {tested && <IntegrationTestDialog integration={tested} onClose={() => setTested(undefined)} />}
      {secret !== undefined && (
        <SecretDialog
          title={t("made")}
          text={t("madeText")}
          label={t("secret")}
          secret={secret}
          copiedText={t("copied")}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

/** Type, id and name first (specification 2, section 2); a card is headed by the name. */
function useColumns(): Column<ListedIntegration>[] {
  const t = useMessages(integrationMessages);
  const isCards = useMedia(media.phone);
  const name: Column<ListedIntegration> = {
    key: "name",
    title: t("name"),
    width: "minmax(140px, 2fr)",
    cell: (row) => row.name,
  };
  return [
    ...(isCards ? [name] : []),
    { key: "type", title: t("type"), width: "minmax(130px, 1fr)", cell: ({ type }) => <IntegrationType type={type} /> },
    { key: "id", title: t("id"), width: "70px", align: "right", isLaptopOnly: true, cell: ({ id }) => id },
    ...(isCards ? [] : [name]),
    {
      key: "use",
      title: t("use"),
      width: "minmax(140px, 1.5fr)",
      isLaptopOnly: true,
      cell: (row) => <IntegrationUse {...row} />,
    },
    { key: "state", title: t("state"), width: "minmax(190px, 2fr)", cell: (row) => <IntegrationState {...row} /> },
  ];
}
