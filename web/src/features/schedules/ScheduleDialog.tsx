import { scheduleRules, type Schedule } from "@prosa/contract/schedules";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { instantOf, wallClockOf } from "@prosa/contract/zoned-time";
import { TextField } from "#web/ui/Field.tsx";
import { FormDialog } from "#web/ui/FormDialog.tsx";
import { VariableTextField } from "#web/ui/VariableTextField.tsx";
import { KnownSchedules } from "./KnownSchedules.tsx";
import { schedulesOfContact, useSaveSchedule } from "./schedules.api.ts";
import { scheduleMessages } from "./schedules.i18n.ts";

interface Values {
  readonly body: string;
  /** Wall-clock time in the company's time zone. */
  readonly sendAt: string;
}

/** Form of a scheduled message, also to change existing ones (T-19, O-03). */
export function ScheduleDialog(props: {
  readonly contact: { readonly id: number; readonly name: string; readonly number: string };
  /** The connection to send from. */
  readonly whatsappId: number | null;
  readonly onClose: () => void;
}) {
  const { contact } = props;
  const t = useMessages(scheduleMessages);
  const { timeZone } = useUser().company;
  const save = useSaveSchedule();
  const known = useQuery(schedulesOfContact(contact.id)).data ?? [];
  const [edited, setEdited] = useState<Schedule>();
  const name = contact.name || contact.number;
  const sendAt =
    edited && edited.status === "PENDENTE"
      ? new Date(edited.sendAt)
      : new Date(serverNow() + scheduleRules.defaultDelayMs);

  return (
    <FormDialog<Values>
      key={edited?.id ?? "new"}
      title={t(edited ? "editTitle" : "title", { name })}
      values={{ body: edited?.body ?? "", sendAt: wallClockOf(sendAt, timeZone) }}
      verb={t("verb")}
      savedText={t("saved")}
      onSave={(values) =>
        save.mutateAsync({
          id: edited?.id,
          wish: {
            body: values.body,
            contactId: contact.id,
            whatsappId: edited ? edited.whatsappId : props.whatsappId,
            sendAt: instantOf(values.sendAt, timeZone)?.toISOString() ?? "",
          },
        })
      }
      onClose={props.onClose}
    >
      {(form, errorOf) => (
        <>
          <VariableTextField
            label={t("body")}
            hint={t("bodyHint")}
            rows={4}
            maxLength={scheduleRules.maxLetters}
            text={form.watch("body")}
            {...form.register("body", {
              validate: (text) => text.trim().length >= scheduleRules.minLetters || t("tooShort"),
            })}
            error={errorOf("body")}
          />
          <TextField
            label={t("sendAt")}
            hint={t("sendAtHint")}
            type="datetime-local"
            min={wallClockOf(new Date(), timeZone)}
            {...form.register("sendAt", {
              required: t("sendAtMissing"),
              validate: (text) => (instantOf(text, timeZone)?.getTime() ?? 0) > serverNow() || t("sendAtPast"),
            })}
            error={errorOf("sendAt")}
          />
          <KnownSchedules schedules={known} editedId={edited?.id} onEdit={setEdited} />
        </>
      )}
    </FormDialog>
  );
}
