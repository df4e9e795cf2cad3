import type { Ticket } from "@prosa/contract/tickets";
import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { useConnections } from "#web/features/connections/index.ts";
import { useTransferTicket } from "#web/features/tickets/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { SelectField } from "#web/ui/SelectField.tsx";
import { FormDialog } from "#web/ui/FormDialog.tsx";
import { queuesOptions } from "#web/features/queues/index.ts";
import { userLookupOptions } from "./user-lookup.ts";
import { deskMessages } from "./desk.i18n.ts";

interface Values {
  readonly queueId: string;
  readonly userId: string;
  readonly whatsappId: string;
}

/** Transfers the ticket to a queue, where it is pending, or to a user of that queue (T-14). */
export function TransferDialog(props: {
  readonly ticket: Ticket;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { ticket } = props;
  const t = useMessages(deskMessages);
  const transfer = useTransferTicket();
  const connections = useConnections().data ?? [];

  return (
    <FormDialog<Values>
      title={t("transferTitle", { name: ticket.contact.name || ticket.contact.number })}
      values={{ queueId: "", userId: "", whatsappId: "" }}
      verb={t("transfer")}
      width="xs"
      onSave={async ({ queueId, userId, whatsappId }) => {
        await transfer.mutateAsync({
          ticketId: ticket.id,
          queueId: Number(queueId),
          userId: userId === "" ? null : Number(userId),
          whatsappId: whatsappId === "" ? null : Number(whatsappId),
        });
        props.onDone();
      }}
      savedText={t("transferred")}
      onClose={props.onClose}
    >
      {(form, errorOf) => (
        <>
          <TargetFields form={form} errorOf={errorOf} />
          <SelectField label={t("connection")} isOptional {...form.register("whatsappId")}>
            <option value="">{t("sameConnection", { name: ticket.whatsapp?.name ?? "–" })}</option>
            {connections
              .filter(({ id }) => id !== ticket.whatsappId)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </SelectField>
        </>
      )}
    </FormDialog>
  );
}

/** The transfer of a bulk: each ticket keeps its connection. */
export function BulkTransferDialog(props: {
  readonly title: string;
  readonly onTransfer: (to: { readonly queueId: number; readonly userId: number | null }) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const t = useMessages(deskMessages);
  return (
    <FormDialog<Values>
      title={props.title}
      values={{ queueId: "", userId: "", whatsappId: "" }}
      verb={t("transfer")}
      width="xs"
      onSave={({ queueId, userId }) =>
        props.onTransfer({ queueId: Number(queueId), userId: userId === "" ? null : Number(userId) })
      }
      onClose={props.onClose}
    >
      {(form, errorOf) => <TargetFields form={form} errorOf={errorOf} />}
    </FormDialog>
  );
}

/** A queue, and optionally one of its users. */
function TargetFields({
  form,
  errorOf,
}: {
  readonly form: UseFormReturn<Values>;
  readonly errorOf: (name: keyof Values) => string | undefined;
}) {
  const t = useMessages(deskMessages);
  const queues = useQuery(queuesOptions).data ?? [];
  const users = useQuery(userLookupOptions).data ?? [];
  const queueId = Number(form.watch("queueId"));
  const serving = users.filter((user) => user.queues.some(({ id }) => id === queueId));
  return (
    <>
      <SelectField
        label={t("queue")}
        {...form.register("queueId", {
          required: t("queueMissing"),
          // The chosen user may not belong to the new queue.
          onChange: () => form.setValue("userId", ""),
        })}
        error={errorOf("queueId")}
      >
        <option value="">{t("chooseQueue")}</option>
        {queues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("user")}
        isOptional
        disabled={serving.length === 0}
        {...form.register("userId")}
        error={errorOf("userId")}
      >
        <option value="">{t(queueId > 0 && serving.length === 0 ? "nobodyServes" : "anyUser")}</option>
        {serving.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}
