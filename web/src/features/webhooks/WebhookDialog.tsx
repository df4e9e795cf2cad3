import { webhookEventTypes, type Webhook, type WebhookBody, type WebhookChanges } from "@prosa/contract/webhooks";
import { useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { CheckList } from "#web/ui/fields/CheckList.tsx";
import { SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { useMergedChoice } from "#web/ui/fields/merged-choice.ts";
import { newestOf, useRenewSecret, useSaveWebhook } from "./webhooks.api.ts";
import { webhookMessages } from "./webhooks.i18n.ts";

/** Adds or edits an endpoint; `onSecret` gets what signs its deliveries, for it is shown once (V-06). */
export function WebhookDialog(props: {
  readonly webhook: Webhook | undefined;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}) {
  const { webhook, onSecret, onClose } = props;
  const t = useMessages(webhookMessages);
  const queryClient = useQueryClient();
  const save = useSaveWebhook();
  const merged = useMergedChoice(eventIdsOf(webhook?.events));
  /** Those of the form, beside what a colleague has changed of them meanwhile. */
  const eventsBeside = (events: WebhookChanges["events"], before: Webhook) =>
    events && { events: eventsOf(merged(eventIdsOf(events), eventIdsOf(newestOf(queryClient, before).events))) };
  return (
    <FormDialog<WebhookBody>
      title={webhook ? t("edit", { name: webhook.description || webhook.url }) : t("add")}
      values={valuesOf(webhook)}
      schema={() => import("#schemas/webhooks").then((module) => module.webhookBody)}
      savedText={t("saved")}
      onClose={onClose}
      onSave={async (whole, changed) => {
        const secret = await save.mutateAsync(
          webhook
            ? { id: webhook.id, body: { ...changed, ...eventsBeside(changed.events, webhook) } }
            : { body: whole },
        );
        if (secret !== undefined) {
          onSecret(secret);
        }
      }}
      actions={webhook && <RenewButton id={webhook.id} onSecret={onSecret} />}
    >
      {(form, errorOf) => (
        <>
          <TextField
            label={t("url")}
            hint={t("urlHint")}
            inputMode="url"
            placeholder="https://"
            error={errorOf("url")}
            {...form.register("url")}
          />
          <TextField
            label={t("description")}
            isOptional
            maxLength={100}
            error={errorOf("description")}
            {...form.register("description")}
          />
          <CheckList
            label={t("events")}
            error={errorOf("events")}
            items={webhookEventTypes.map((type, id) => ({ id, name: t(type) }))}
            chosen={eventIdsOf(form.watch("events"))}
            onChange={(chosen) => form.setValue("events", eventsOf(chosen), { shouldDirty: true })}
          />
          <SwitchField
            label={t("isActive")}
            hint={t(webhook?.switchedOff ? `isOff_${webhook.switchedOff}` : "isActiveHint")}
            {...form.register("isActive")}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The places of events in the list of all, by which they are ticked. */
function eventIdsOf(events: readonly string[] = []): number[] {
  return webhookEventTypes.flatMap((type, id) => (events.includes(type) ? [id] : []));
}

function eventsOf(ids: readonly number[]): WebhookBody["events"] {
  return webhookEventTypes.filter((_, id) => ids.includes(id));
}

function valuesOf(webhook: Webhook | undefined): WebhookBody {
  const events = webhookEventTypes.filter((type) => webhook?.events.includes(type) ?? type === "message.created");
  const { url = "", description = "", isActive = true } = webhook ?? {};
  return { url, description, isActive, events };
}

function RenewButton({ id, onSecret }: { readonly id: number; readonly onSecret: (secret: string) => void }) {
  const t = useMessages(webhookMessages);
  const { mutateAsync } = useRenewSecret(id);
  const ask = () =>
    void confirm({
      title: t("renewTitle"),
      text: t("renewText"),
      verb: t("renew"),
      isDangerous: true,
      run: async () => onSecret(await mutateAsync()),
    });
  return (
    <Button kind="quiet" icon={<KeyRound size={16} />} onClick={ask}>
      {t("renew")}
    </Button>
  );
}
