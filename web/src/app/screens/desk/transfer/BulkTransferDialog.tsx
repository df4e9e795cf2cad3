import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { queuesOptions } from "#web/features/queues/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { deskMessages } from "#web/app/screens/desk/desk.i18n.ts";
import { colleaguesOptions } from "#web/features/users/index.ts";

interface Values {
  readonly queueId: string;
  readonly userId: string;
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
      values={{ queueId: "", userId: "" }}
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
  const users = useQuery(colleaguesOptions).data ?? [];
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
