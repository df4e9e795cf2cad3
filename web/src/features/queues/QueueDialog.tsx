import { styled } from "#web/ui/styled.ts";
import {
  defaultSchedules,
  defaultWaitLimits,
  type Queue,
  type QueueBody,
  type ScheduleDay,
} from "@prosa/contract/queues";
import { useRef, useState, type ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import { changedDays, ScheduleEditor, useSetting, withDays } from "#web/features/settings/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ColorField } from "#web/ui/fields/ColorField.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { NumberField } from "#web/ui/fields/NumberField.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { FormTabs } from "#web/ui/dialogs/FormTabs.tsx";
import { freeColor } from "#web/ui/palette.ts";
import { toast } from "#web/ui/Toast.tsx";
import { TokenField } from "#web/ui/fields/TokenField.tsx";
import { VariableTextField } from "#web/ui/fields/VariableTextField.tsx";
import { color } from "#web/ui/theme.ts";
import { useQueues, useSaveQueue } from "./queues.api.ts";
import { queueMessages } from "./queues.i18n.ts";

type Form = UseFormReturn<QueueBody>;
type ErrorOf = (name: keyof QueueBody) => string | undefined;

const textFields = ["greetingMessage", "outOfHoursMessage", "complationMessage", "ratingMessage"] as const;
const limitFields = ["waitWarningMinutes", "waitLimitMinutes"] as const;
const hints = {
  greetingMessage: "greetingHint",
  outOfHoursMessage: "outOfHoursHint",
  complationMessage: "complationHint",
  ratingMessage: "ratingHint",
} as const;

/** Fields of higher features (prompts, integrations), which may not be imported here; app passes them in. */
export type AssistantFields = (chosen: {
  readonly promptId: number | null;
  readonly integrationId: number | null;
  readonly onChange: (name: "promptId" | "integrationId", id: number | null) => void;
}) => ReactNode;

/** Adds or edits a queue: its data, and its opening hours where scheduleType is queue. */
export function QueueDialog(props: {
  readonly queue: Queue | undefined;
  readonly onClose: () => void;
  readonly onSaved?: (queue: Queue) => void;
  readonly assistants: AssistantFields;
}) {
  const { queue, onClose } = props;
  const t = useMessages(queueMessages);
  const save = useSaveQueue();
  const { data: all = [] } = useQueues();
  const others = all.filter(({ id }) => id !== queue?.id);
  const hasHours = useSetting("scheduleType") === "queue";
  const triedDays = useRef<readonly ScheduleDay[]>([]);
  // Of the week only the changed days: colleagues may have saved others since the form opened.
  const laidOver = (before: Queue, { schedules, ...changed }: Partial<QueueBody>): Partial<QueueBody> => {
    if (!schedules) {
      return changed;
    }
    const newest = all.find(({ id }) => id === before.id) ?? before;
    const days = changedDays(before.schedules, schedules, triedDays.current);
    triedDays.current = days;
    return { ...changed, schedules: withDays(newest.schedules, days) };
  };

  return (
    <FormDialog<QueueBody>
      title={queue ? t("edit", { name: queue.name }) : t("add")}
      values={valuesOf(queue, others)}
      schema={() => import("#schemas/queues").then((module) => module.queueBody)}
      fieldOfError={{ ERR_QUEUE_COLOR_ALREADY_EXISTS: "color", ERR_QUEUE_NAME_TAKEN: "name" }}
      savedText={t("saved")}
      onClose={onClose}
      onSave={async (whole, changed) => {
        const saved = await save.mutateAsync(
          queue ? { id: queue.id, body: laidOver(queue, changed) } : { body: whole },
        );
        props.onSaved?.(saved);
      }}
    >
      {(form, errorOf) => (
        <FormTabs
          label={t("title")}
          form={form}
          tabs={[
            {
              key: "data",
              label: t("tabData"),
              fields: ["name", "color", "orderQueue", ...limitFields, "retentionDays", ...textFields, "token"],
              panel: (
                <Data
                  form={form}
                  errorOf={errorOf}
                  others={others}
                  hasToken={queue?.hasToken ?? false}
                  assistants={props.assistants}
                />
              ),
            },
            ...(hasHours
              ? [{ key: "hours", label: t("tabHours"), fields: ["schedules"] as const, panel: <Hours form={form} /> }]
              : []),
          ]}
        />
      )}
    </FormDialog>
  );
}

function Data({
  form,
  errorOf,
  others,
  hasToken,
  assistants,
}: {
  readonly form: Form;
  readonly errorOf: ErrorOf;
  readonly others: readonly Queue[];
  readonly hasToken: boolean;
  readonly assistants: AssistantFields;
}) {
  const t = useMessages(queueMessages);
  return (
    <>
      <FieldRow>
        <TextField label={t("name")} maxLength={50} error={errorOf("name")} {...form.register("name")} />
        <NumberField
          label={t("orderQueue")}
          hint={t("orderHint")}
          error={errorOf("orderQueue")}
          {...form.register("orderQueue")}
        />
      </FieldRow>
      <ColorField
        value={form.watch("color")}
        onChange={(value) => form.setValue("color", value, { shouldDirty: true, shouldValidate: true })}
        taken={new Map(others.map(({ color: taken, name }) => [taken, name]))}
        error={errorOf("color")}
      />
      <FieldRow>
        {limitFields.map((name) => (
          <NumberField key={name} label={t(name)} error={errorOf(name)} {...form.register(name)} />
        ))}
      </FieldRow>
      <Note>{t("waitHint")}</Note>
      <NumberField
        label={t("retentionDays")}
        hint={t("retentionHint")}
        isOptional
        error={errorOf("retentionDays")}
        {...form.register("retentionDays", {
          setValueAs: (text) => (text === "" || text === null ? null : Number(text)),
        })}
      />
      {textFields.map((name) => (
        <VariableTextField
          key={name}
          label={t(name)}
          hint={t(hints[name])}
          isOptional
          text={form.watch(name)}
          error={errorOf(name)}
          {...form.register(name)}
        />
      ))}
      <TokenField
        label={t("token")}
        hint={t("tokenHint")}
        isSet={hasToken}
        value={form.watch("token")}
        onChange={(value) => form.setValue("token", value, { shouldDirty: true })}
        error={errorOf("token")}
      />
      {assistants({
        promptId: form.watch("promptId"),
        integrationId: form.watch("integrationId"),
        onChange: (name, id) => form.setValue(name, id, { shouldDirty: true }),
      })}
    </>
  );
}

function Hours({ form }: { readonly form: Form }) {
  const t = useMessages(queueMessages);
  const [wasTold, setTold] = useState(false);
  return (
    <>
      <Note>{t("hoursHint")}</Note>
      <ScheduleEditor
        week={form.watch("schedules")}
        onChange={(week) => {
          form.setValue("schedules", week, { shouldDirty: true });
          if (!wasTold) {
            setTold(true);
            toast.info(t("clickSave"));
          }
        }}
      />
    </>
  );
}

function valuesOf(queue: Queue | undefined, others: readonly Queue[]): QueueBody {
  return {
    name: queue?.name ?? "",
    color: queue?.color ?? freeColor(others.map((other) => other.color)),
    orderQueue: queue?.orderQueue ?? Math.max(0, ...others.map((other) => other.orderQueue)) + 1,
    greetingMessage: queue?.greetingMessage ?? "",
    complationMessage: queue?.complationMessage ?? "",
    outOfHoursMessage: queue?.outOfHoursMessage ?? "",
    ratingMessage: queue?.ratingMessage ?? "",
    token: "",
    integrationId: queue?.integrationId ?? null,
    promptId: queue?.promptId ?? null,
    waitWarningMinutes: queue?.waitWarningMinutes ?? defaultWaitLimits.waitWarningMinutes,
    waitLimitMinutes: queue?.waitLimitMinutes ?? defaultWaitLimits.waitLimitMinutes,
    retentionDays: queue?.retentionDays ?? null,
    schedules: queue?.schedules ?? defaultSchedules,
  };
}

const Note = styled("p")({ color: color.ink2 });
