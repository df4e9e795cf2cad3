import type { ContactSummary } from "@prosa/contract/contacts";
import { scheduleRules, type Schedule } from "@prosa/contract/schedules";
import { wallClockOf } from "@prosa/contract/zoned-time";
import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useConnections } from "#web/features/connections/index.ts";
import { ContactFinder } from "#web/features/contacts/index.ts";
import { OptedOutWarning, useHeldText } from "#web/features/sending/index.ts";
import { newId } from "#web/lib/browser/random.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { DateTimeField } from "#web/ui/dates/DateTimeField.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { FileField, type ChosenFile } from "#web/ui/fields/FileField.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { VariableTextField } from "#web/ui/fields/VariableTextField.tsx";
import { keepsTime, meantTime, openedTime, type OpenedTime } from "./kept-time.ts";
import { KnownSchedules } from "./KnownSchedules.tsx";
import { useAskToRemove, useFailureText, useMayChange, useRetry } from "./schedule-actions.ts";
import { schedulesOfContact, useRemoveScheduleFile, useSaveSchedule, type ScheduleInput } from "./schedules.api.ts";
import { scheduleMessages } from "./schedules.i18n.ts";
import { SentSchedule } from "./SentSchedule.tsx";

type Recipient = Pick<ContactSummary, "id" | "name" | "number"> & Partial<ContactSummary>;

/** What a new schedule begins with. */
export interface ScheduleStart {
  readonly contact?: Recipient | undefined;
  /** The connection to send from; default: that of the conversation. */
  readonly whatsappId?: number | null;
  /** Default: in one hour (specification 1, section 5). */
  readonly sendAt?: Date | undefined;
  readonly body?: string | undefined;
  readonly file?: File | undefined;
  /** Files of the reply that do not go along: a schedule carries one. */
  readonly filesLeft?: number | undefined;
}

interface ScheduleDialogProps {
  /** The one to change, or to look at once it was sent. Undefined for a new one. */
  readonly schedule?: Schedule | undefined;
  readonly start?: ScheduleStart;
  /** From a conversation: its contact cannot be changed, and what is scheduled already is listed. */
  readonly isOfConversation?: boolean;
  readonly onSaved?: (() => void) | undefined;
  readonly onClose: () => void;
}

interface Values {
  readonly contact: ContactSummary | null;
  readonly body: string;
  /** Wall-clock time in the company's time zone. */
  readonly sendAt: string;
  readonly whatsappId: string;
  readonly file: ChosenFile | null;
}

/** Form of a scheduled message, also to change existing ones (T-19, O-03). */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const [edited, setEdited] = useState(props.schedule);
  // Of what the dialog was opened for; another one that is changed in it leaves the reply in the composer alone.
  const onSaved = edited?.id === props.schedule?.id ? props.onSaved : undefined;
  return <ScheduleForm key={edited?.id ?? "new"} {...props} {...{ onSaved }} schedule={edited} onEdit={setEdited} />;
}

function ScheduleForm({
  schedule,
  start = {},
  isOfConversation = false,
  onEdit,
  onSaved,
  onClose,
}: ScheduleDialogProps & { readonly onEdit: (schedule: Schedule) => void }) {
  const t = useMessages(scheduleMessages);
  const { timeZone } = useUser().company;
  const save = useSaveSchedule();
  const connections = useConnections().data ?? [];
  const contact = schedule?.contact ?? start.contact;
  const { retry, isBusy } = useRetry();
  const failure = useFailureText()(schedule ?? { error: null });
  const held = useHeldText()(schedule ?? { heldReason: null, heldUntil: null });
  const mayChange = useMayChange();
  const isReadOnly = schedule !== undefined && (schedule.sentAt !== null || !mayChange(schedule));

  // Of this dialog: when the answer was lost, a second click makes no second message.
  const [clientId] = useState(newId);
  const [opened] = useState(() => openedTime(firstTime(schedule, start), timeZone));
  const [values] = useState(() => valuesOf(schedule, start, opened));
  const inputOf = ({ body, contact: chosen, sendAt, whatsappId }: Values) => ({
    body,
    contactId: chosen?.id ?? 0,
    whatsappId: whatsappId === "" ? null : Number(whatsappId),
    sendAt: meantTime(sendAt, opened, timeZone)?.toISOString() ?? "",
  });
  const onSave = async (typed: Values, changed: Partial<Values>) => {
    const input = inputOf(typed);
    // Null takes off one that was chosen here: a save whose answer was lost may have stored it.
    const file = typed.file instanceof File ? typed.file : changed.file === null ? null : undefined;
    // A failed one is sent again at the time that the form shows, also where that was not touched.
    const time = schedule?.status === "ERRO" && { sendAt: input.sendAt };
    await save.mutateAsync(
      schedule
        ? { id: schedule.id, input: { ...changesOf(input, changed), ...time }, file }
        : { clientId, input, file: file ?? undefined },
    );
    onSaved?.();
  };

  return (
    <FormDialog<Values>
      title={useTitle(schedule, isOfConversation ? contact : undefined)}
      values={values}
      verb={t(schedule ? "saveVerb" : "verb")}
      savedText={t("saved")}
      fieldOfError={{ ERR_FILE_TYPE: "file", ERR_FILE_TOO_LARGE: "file", ERR_NO_CONTACT_FOUND: "contact" }}
      isReadOnly={isReadOnly}
      actions={schedule && mayChange(schedule) && <RemoveButton schedule={schedule} onRemoved={onClose} />}
      onSave={onSave}
      onClose={onClose}
    >
      {(form, errorOf) => {
        const chosen = form.watch("contact");
        form.register("file");
        form.register("contact", { validate: (one) => one !== null || t("contactMissing") });
        return (
          <>
            {failure !== undefined && (
              <Failure role="alert">
                <span>{failure}</span>
                {schedule && mayChange(schedule) && (
                  <Button isBusy={isBusy} onClick={() => retry(schedule.id, onClose)}>
                    {t("retry")}
                  </Button>
                )}
              </Failure>
            )}
            {held !== undefined && <p role="status">{held}</p>}
            {!isReadOnly && chosen && <OptedOutWarning contactId={chosen.id} />}
            {schedule && isReadOnly ? (
              <SentSchedule schedule={schedule} />
            ) : (
              <>
                {!isOfConversation && (
                  <ContactFinder
                    chosen={chosen ?? undefined}
                    error={errorOf("contact")}
                    onChoose={(one) =>
                      form.setValue("contact", one ?? null, { shouldDirty: true, shouldValidate: one !== undefined })
                    }
                  />
                )}
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
                <FieldRow>
                  <DateTimeField
                    label={t("sendAt")}
                    hint={t("sendAtHint")}
                    firstDay={wallClockOf(new Date(serverNow()), timeZone).slice(0, 10)}
                    hasPresets
                    {...form.register("sendAt", {
                      required: t("sendAtMissing"),
                      validate: (text) =>
                        keepsTime(schedule, text, opened) ||
                        (meantTime(text, opened, timeZone)?.getTime() ?? 0) > serverNow() ||
                        t("sendAtPast"),
                    })}
                    error={errorOf("sendAt")}
                  />
                  {connections.length > 1 && (
                    <SelectField label={t("line")} {...form.register("whatsappId")}>
                      <option value="">{t("ownLine")}</option>
                      {connections.map(({ id, name }) => (
                        <option key={id} value={id}>
                          {name}
                        </option>
                      ))}
                    </SelectField>
                  )}
                </FieldRow>
              </>
            )}
            <FileOf
              schedule={schedule}
              file={form.watch("file")}
              error={errorOf("file")}
              isReadOnly={isReadOnly}
              onChange={(file) => form.setValue("file", file, { shouldDirty: true })}
              onRemoved={() => form.resetField("file", { defaultValue: null })}
            />
            {(start.filesLeft ?? 0) > 0 && <p role="note">{t("oneFile")}</p>}
            {isOfConversation && schedule === undefined && contact && <Known contactId={contact.id} onEdit={onEdit} />}
          </>
        );
      }}
    </FormDialog>
  );
}

/** Of the input what was changed in the form. */
function changesOf(input: ScheduleInput, changed: Partial<Values>): Partial<ScheduleInput> {
  const names = Object.keys(changed).map((name) => (name === "contact" ? "contactId" : name));
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)));
}

/** "Erro de Envio", else "Mensagem" with its state (specification 1, section 5); a new one says what is done. */
function useTitle(schedule: Schedule | undefined, contact: Recipient | undefined): string {
  const t = useMessages(scheduleMessages);
  if (schedule) {
    return t(`title_${schedule.status}`);
  }
  return contact ? t("addTitleFor", { name: contact.name || contact.number }) : t("addTitle");
}

function firstTime(schedule: Schedule | undefined, start: ScheduleStart): Date {
  const inAnHour = new Date(serverNow() + scheduleRules.defaultDelayMs);
  // A failed one is sent at a new time.
  return schedule?.status === "PENDENTE" ? new Date(schedule.sendAt) : (start.sendAt ?? inAnHour);
}

function valuesOf(schedule: Schedule | undefined, start: ScheduleStart, opened: OpenedTime): Values {
  const contact = schedule?.contact ?? start.contact;
  const { mediaName, mediaUrl } = schedule ?? {};
  return {
    contact: contact ? { email: "", isGroup: false, urlPicture: null, profilePicUrl: null, ...contact } : null,
    body: schedule?.body ?? start.body ?? "",
    sendAt: opened.text,
    whatsappId: String((schedule ? schedule.whatsappId : start.whatsappId) ?? ""),
    file: schedule ? (mediaUrl ? { name: mediaName ?? "", url: mediaUrl } : null) : (start.file ?? null),
  };
}

/** The file: a stored one is removed at once, after a question. */
function FileOf(props: {
  readonly schedule: Schedule | undefined;
  readonly file: ChosenFile | null;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (file: File | null) => void;
  readonly onRemoved: () => void;
}) {
  const t = useMessages(scheduleMessages);
  const removeFile = useRemoveScheduleFile();
  const { schedule, onChange, onRemoved } = props;

  const askToRemove = async ({ name }: ChosenFile, { id }: Schedule) => {
    const isDone = await confirm({
      title: t("removeFileTitle"),
      text: t("removeFileText", { name }),
      verb: t("removeFileVerb"),
      isDangerous: true,
      run: () => removeFile.mutateAsync(id),
    });
    if (isDone) {
      toast.success(t("fileRemoved"));
      onRemoved();
    }
  };
  return (
    <FileField
      file={props.file}
      error={props.error}
      isReadOnly={props.isReadOnly}
      onChoose={onChange}
      onRemove={(file) => (file instanceof File || !schedule ? onChange(null) : void askToRemove(file, schedule))}
    />
  );
}

function RemoveButton({ schedule, onRemoved }: { readonly schedule: Schedule; readonly onRemoved: () => void }) {
  const t = useMessages(scheduleMessages);
  const askToRemove = useAskToRemove();
  return (
    <Button
      kind="quiet"
      icon={<Trash2 size={16} />}
      onClick={() => void askToRemove(schedule).then((isDone) => isDone && onRemoved())}
    >
      {t("removeVerb")}
    </Button>
  );
}

function Known({ contactId, onEdit }: { readonly contactId: number; readonly onEdit: (schedule: Schedule) => void }) {
  const known = useQuery(schedulesOfContact(contactId)).data ?? [];
  return <KnownSchedules schedules={known} onEdit={onEdit} />;
}

const Failure = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 8,
  padding: "8px 8px 8px 12px",
  borderRadius: 8,
  backgroundColor: color.dangerSoft,
  color: color.danger,
  fontSize: 13,
  "& > span": { flex: 1, minWidth: 160 },
});
