import { scheduleRules, type Schedule } from "@prosa/contract/schedules";
import { variableToken } from "@prosa/contract/variables";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { VariableButton } from "#web/features/quick-messages/index.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { instantOf, wallClockOf } from "#web/lib/text/zoned-time.ts";
import { EmojiButton } from "#web/ui/EmojiButton.tsx";
import { TextArea, TextField } from "#web/ui/Field.tsx";
import { FormDialog } from "#web/ui/FormDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { insertAtCursor } from "#web/ui/textCursor.ts";
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
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (text: string) => field.current && insertAtCursor(field.current, text);
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
      {(form, errorOf) => {
        const { ref, ...body } = form.register("body", {
          validate: (text) => text.trim().length >= scheduleRules.minLetters || t("tooShort"),
        });
        return (
          <>
            <Writing>
              <TextArea
                label={t("body")}
                hint={t("bodyHint")}
                rows={4}
                maxLength={scheduleRules.maxLetters}
                {...body}
                ref={(element) => {
                  ref(element);
                  field.current = element;
                }}
                error={errorOf("body")}
              />
              <span>
                <EmojiButton onChoose={insert} />
                <VariableButton onChoose={(variable) => insert(variableToken(variable))} />
              </span>
            </Writing>
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
        );
      }}
    </FormDialog>
  );
}

const Writing = styled("div")({
  position: "relative",
  "& > span": { position: "absolute", top: -10, right: 0, display: "flex" },
});
