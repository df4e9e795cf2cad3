import type { QueueIntegration } from "@prosa/contract/queue-integrations";
import { Plug, Plus } from "lucide-react";
import { useState } from "react";
import {
  integrationMessages,
  IntegrationType,
  QueueIntegrationDialog,
  queueIntegrationsRealtime,
  queueIntegrationsResource,
} from "#web/features/queue-integrations/index.ts";
import { useSearch } from "#web/lib/hooks.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { registerRealtime } from "#web/lib/realtime.ts";
import { Button } from "#web/ui/Button.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { RecordActions } from "#web/ui/RecordActions.tsx";
import { EmptyState } from "#web/ui/states.tsx";

registerRealtime(queueIntegrationsRealtime);

/** /queue-integration: systems of others that a queue or a line may be given to (O-09). */
export function QueueIntegrations() {
  const t = useMessages(integrationMessages);
  const search = useSearch();
  const list = queueIntegrationsResource.useList({ searchParam: search.asked });
  const remove = queueIntegrationsResource.useRemove();
  const [form, setForm] = useState<{ readonly integration: QueueIntegration | undefined }>();
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setForm({ integration: undefined })}>
      {t("add")}
    </Button>
  );
  return (
    <>
      <ListScreen
        title={t("title")}
        {...list}
        columns={useColumns()}
        search={{ ...search, placeholder: t("search") }}
        onOpen={(integration) => setForm({ integration })}
        openLabel={({ name }) => t("edit", { name })}
        rowActions={(integration) => (
          <RecordActions
            id={integration.id}
            editLabel={t("edit", { name: integration.name })}
            onEdit={() => setForm({ integration })}
            deleteTitle={t("deleteTitle", { name: integration.name })}
            deleteText={t("deleteText")}
            deletedText={t("deleted")}
            remove={remove}
          />
        )}
        action={add}
        empty={<EmptyState icon={<Plug />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {form && <QueueIntegrationDialog integration={form.integration} onClose={() => setForm(undefined)} />}
    </>
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
