import { webhookEventTypes, type Webhook, type WebhookDelivery } from "@prosa/contract/webhooks";
import { RotateCw, Send } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
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
      <List>
        {rows?.map((row) => (
          <Delivery key={row.id} delivery={row} onReplay={() => send(row.id)} />
        ))}
      </List>
      {query.hasNextPage && (
        <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("more")}
        </Button>
      )}
    </InfoDialog>
  );
}

function Delivery({ delivery, onReplay }: { readonly delivery: WebhookDelivery; readonly onReplay: () => void }) {
  const t = useMessages(webhookMessages);
  const format = useFormat();
  const { state, status, error, answer, attempts, nextAttemptAt, durationMs, createdAt, webhookId } = delivery;
  const type = [...webhookEventTypes, "webhook.test" as const].find((known) => known === delivery.type);
  const name = type ? t(type) : delivery.type;
  const facts = [
    status === null ? error && t(reasonOf(error)) : `HTTP ${status}`,
    attempts > 0 ? t("attempts", { count: attempts }) : undefined,
    durationMs === null ? undefined : `${format.number(durationMs)} ms`,
    state === "waiting" && attempts > 0 && nextAttemptAt !== null
      ? t("next", { date: format.dateTime(nextAttemptAt) })
      : undefined,
  ].filter((fact) => fact !== undefined && fact !== null && fact !== "");
  return (
    <li data-state={state}>
      <div>
        <b>{name}</b> <span>{t(state)}</span>
        <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
        <small title={webhookId}>{facts.join(" · ")}</small>
        {answer && <code>{answer}</code>}
      </div>
      {state !== "waiting" && (
        <IconButton size="small" label={t("replayLabel", { type: name })} onClick={onReplay}>
          <RotateCw />
        </IconButton>
      )}
    </li>
  );
}

/** The words for what the server noted: its own reasons, and codes of the network. */
function reasonOf(error: string) {
  switch (error) {
    case "private address":
      return "privateAddress";
    case "no answer in time":
      return "timeout";
    case "switched off":
      return "switchedOff";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "noName";
    case "ECONNREFUSED":
      return "refused";
    default:
      return "broken";
  }
}

const List = styled("ul")({
  margin: 0,
  padding: 0,
  listStyle: "none",
  fontSize: 13,
  "& > li": {
    display: "flex",
    alignItems: "flex-start",
    gap: 8,
    padding: "8px 0",
    borderTop: `1px solid ${color.line}`,
  },
  "& > li:first-of-type": { borderTop: 0 },
  "& > li > div": { flex: 1, minWidth: 0 },
  "& span": { color: color.ink2 },
  "& [data-state=failed], & li[data-state=failed] span": { color: color.danger },
  "& time": { marginLeft: 8, fontSize: 12, color: color.ink2 },
  "& small": { display: "block", fontSize: 12, color: color.ink2 },
  "& code": { display: "block", fontSize: 12, overflowWrap: "anywhere", color: color.ink2 },
});
