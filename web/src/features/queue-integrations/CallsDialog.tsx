import { signedTypes, type QueueIntegration } from "@prosa/contract/queue-integrations";
import { pagingOf } from "#web/lib/records/resource.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { DeliveryList } from "#web/ui/DeliveryList.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { MoreButton } from "#web/ui/MoreButton.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { splitFailure, useIntegrationFailure } from "./integration-failures.i18n.ts";
import { useCalls, useReplayCall } from "./queue-integrations.api.ts";
import { integrationMessages } from "./queue-integrations.i18n.ts";

/** What an integration was asked and how it answered, the newest first; signed calls can be sent again (O-09). */
export function CallsDialog(props: { readonly integration: QueueIntegration; readonly onClose: () => void }) {
  const { integration, onClose } = props;
  const t = useMessages(integrationMessages);
  const failure = useIntegrationFailure();
  const query = useCalls(integration.id);
  const replay = useReplayCall(integration.id);
  const rows = query.data?.pages.flatMap(({ calls }) => calls);
  const isSigned = signedTypes.includes(integration.type);
  const shown = rows?.map((row) => ({
    ...row,
    name: t("callOf", { ticket: String(row.ticketId) }),
    // the status stands before it
    error: row.error === null || row.error === `HTTP ${row.status}` ? null : failure(...splitFailure(row.error)),
    webhookId: row.deliveryId,
  }));
  return (
    <InfoDialog title={t("callsOf", { name: integration.name })} width="md" onClose={onClose}>
      {query.error && !rows && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {!query.error && !rows && <Skeleton style={{ width: "60%" }} />}
      {rows?.length === 0 && <p>{t("noCalls")}</p>}
      {isSigned && rows !== undefined && rows.length > 0 && <p>{t("replayHint")}</p>}
      <DeliveryList
        rows={shown ?? []}
        onReplay={isSigned ? ({ id }) => replay.mutate(id, { onError: (error) => toast.failure(error) }) : undefined}
      />
      <MoreButton label={t("more")} {...pagingOf(query)} />
    </InfoDialog>
  );
}
