import { webhookEventTypes, type Webhook, type WebhookDelivery } from "@prosa/contract/webhooks";
import { Send } from "lucide-react";
import { pagingOf } from "#web/lib/records/resource.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { DeliveryList, useCallFailure } from "#web/ui/DeliveryList.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { MoreButton } from "#web/ui/MoreButton.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { useDeliver, useDeliveries } from "./webhooks.api.ts";
import { webhookMessages } from "./webhooks.i18n.ts";

/** What was sent to an endpoint and how it answered, the newest first; each can be sent again (V-06). */
export function DeliveriesDialog(props: {
  readonly webhook: Webhook;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { webhook, name, onClose } = props;
  const t = useMessages(webhookMessages);
  const shown = useShown();
  const query = useDeliveries(webhook.id);
  const deliver = useDeliver(webhook.id);
  const rows = query.data?.pages.flatMap(({ deliveries }) => deliveries);
  const send = (deliveryId: number | undefined) =>
    deliver.mutate(deliveryId, { onError: (error) => toast.failure(error) });
  return (
    <InfoDialog
      title={t("deliveriesOf", { name })}
      width="md"
      onClose={onClose}
      actions={
        <Button icon={<Send size={16} />} isBusy={deliver.isPending} onClick={() => send(undefined)}>
          {t("test")}
        </Button>
      }
    >
      {query.error && !rows && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {!query.error && !rows && <Skeleton style={{ width: "60%" }} />}
      {rows?.length === 0 && <p>{t("noDeliveries")}</p>}
      <DeliveryList rows={rows?.map(shown) ?? []} onReplay={(row) => send(row.id)} />
      <MoreButton label={t("more")} {...pagingOf(query)} />
    </InfoDialog>
  );
}

/** Every row with the name of its event, and what failed in words. */
function useShown(): (row: WebhookDelivery) => WebhookDelivery & { readonly name: string } {
  const t = useMessages(webhookMessages);
  const failure = useCallFailure();
  return (row) => {
    const type = [...webhookEventTypes, "webhook.test" as const].find((known) => known === row.type);
    const { error, status } = row;
    const words =
      error === "switched off" ? t("switchedOff") : error !== null && status === null ? failure(error) : error;
    return { ...row, error: words, name: type ? t(type) : row.type };
  };
}
