import type { Webhook } from "@prosa/contract/webhooks";
import { History, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { SecretDialog } from "#web/ui/dialogs/SecretDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { NameAndNote } from "#web/ui/NameAndNote.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { WholeText } from "#web/ui/WholeText.ts";
import { DeliveriesDialog } from "./DeliveriesDialog.tsx";
import { WebhookDialog } from "./WebhookDialog.tsx";
import { webhooksResource } from "./webhooks.api.ts";
import { webhookMessages } from "./webhooks.i18n.ts";

/** Settings → Webhooks: whom the company tells what happens, with what was sent, for admins (V-06). */
export function WebhooksTab() {
  const t = useMessages(webhookMessages);
  const [secret, setSecret] = useState<string>();
  const [shown, setShown] = useState<Webhook>();
  return (
    <>
      <RecordList
        isPart
        resource={webhooksResource}
        texts={webhookMessages}
        icon={<WebhookIcon />}
        columns={useColumns()}
        nameOf={nameOf}
        rowTone={({ switchedOff, failingSince }) =>
          switchedOff ? "red" : failingSince === null ? undefined : "yellow"
        }
        rowActions={(row) => (
          <IconButton label={t("deliveriesOf", { name: nameOf(row) })} onClick={() => setShown(row)}>
            <History />
          </IconButton>
        )}
        form={(webhook, onClose) => <WebhookDialog webhook={webhook} onSecret={setSecret} onClose={onClose} />}
      />
      {shown && <DeliveriesDialog webhook={shown} name={nameOf(shown)} onClose={() => setShown(undefined)} />}
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

function nameOf({ description, url }: Webhook): string {
  return description || url;
}

function useColumns(): Column<Webhook>[] {
  const t = useMessages(webhookMessages);
  const format = useFormat();
  const stateOf = ({ isActive, switchedOff, failingSince }: Webhook) => {
    if (switchedOff) {
      return t(switchedOff === "gone" ? "offGone" : "offFailing");
    }
    if (!isActive) {
      return t("off");
    }
    if (failingSince === null) {
      return t("on");
    }
    return t("failing", { date: `${format.date(failingSince)} ${format.time(failingSince)}` });
  };
  return [
    {
      key: "system",
      title: t("system"),
      width: "minmax(160px, 3fr)",
      cell: (row) => <NameAndNote name={nameOf(row)} note={row.description === "" ? "" : row.url} />,
    },
    {
      key: "state",
      title: t("state"),
      width: "minmax(150px, 1.2fr)",
      cell: (row) => <WholeText>{stateOf(row)}</WholeText>,
    },
    {
      key: "events",
      title: t("events"),
      width: "80px",
      align: "right",
      cell: ({ events }) => format.number(events.length),
    },
  ];
}
