import { connectionDefaults, type Connection, type ConnectionBody } from "@prosa/contract/connections";
import type { UseFormReturn } from "react-hook-form";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useQueues, type AssistantFields } from "#web/features/queues/index.ts";
import { CheckList } from "#web/ui/fields/CheckList.tsx";
import { SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { NumberField } from "#web/ui/fields/NumberField.tsx";
import { existingOf, useMergedChoice } from "#web/ui/fields/merged-choice.ts";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { FormTabs } from "#web/ui/dialogs/FormTabs.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { TokenField } from "#web/ui/fields/TokenField.tsx";
import { VariableTextField } from "#web/ui/fields/VariableTextField.tsx";
import { useConnections, useSaveConnection } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";

type Form = UseFormReturn<ConnectionBody>;
type ErrorOf = (name: keyof ConnectionBody) => string | undefined;

const optionalTexts = ["complationMessage", "outOfHoursMessage", "ratingMessage", "expiresInactiveMessage"] as const;
const textFields = ["greetingMessage", ...optionalTexts] as const;
const hints = {
  complationMessage: "complationHint",
  outOfHoursMessage: "outOfHoursHint",
  ratingMessage: "ratingHint",
  expiresInactiveMessage: "expiresInactiveHint",
} as const;

/** Adds or edits a connection: every field of the entity (W-02), grouped in tabs. */
export function ConnectionDialog(props: {
  readonly connection: Connection | undefined;
  readonly onClose: () => void;
  readonly onSaved?: (connection: Connection) => void;
  readonly assistants: AssistantFields;
}) {
  const { connection, onClose } = props;
  const t = useMessages(connectionMessages);
  const save = useSaveConnection();
  const { data: known = [] } = useConnections();
  const { data: all } = useQueues();
  const merged = useMergedChoice(queueIdsOf(connection));
  const newestQueuesOf = (before: Connection | undefined) =>
    queueIdsOf(before && (known.find(({ id }) => id === before.id) ?? before));

  return (
    <FormDialog<ConnectionBody>
      title={t(connection ? "edit" : "add")}
      values={valuesOf(connection)}
      schema={() => import("#schemas/connections").then((module) => module.connectionBody)}
      fieldOfError={{
        ERR_WAPP_GREETING_REQUIRED: "greetingMessage",
        ERR_WAPP_NAME_TAKEN: "name",
        ERR_NO_OTHER_WHATSAPP: "isDefault",
      }}
      savedText={t("saved")}
      onClose={onClose}
      onSave={async (whole, changed) => {
        const body = connection ? changed : whole;
        const queues = body.queueIds && {
          queueIds: existingOf(merged(body.queueIds, newestQueuesOf(connection)), all),
        };
        const saved = await save.mutateAsync(
          connection ? { id: connection.id, body: { ...changed, ...queues } } : { body: { ...whole, ...queues } },
        );
        props.onSaved?.(saved);
      }}
    >
      {(form, errorOf) => (
        <FormTabs
          label={t(connection ? "edit" : "add")}
          form={form}
          tabs={[
            {
              key: "general",
              label: t("tabGeneral"),
              fields: ["name", "provider", "isDefault", "token"],
              panel: <General form={form} errorOf={errorOf} connection={connection} />,
            },
            {
              key: "messages",
              label: t("tabMessages"),
              fields: textFields,
              panel: <Texts form={form} errorOf={errorOf} />,
            },
            {
              key: "bot",
              label: t("tabBot"),
              fields: ["transferQueueId", "timeToTransfer", "expiresTicket", "maxUseBotQueues", "timeUseBotQueues"],
              panel: <Bot form={form} errorOf={errorOf} assistants={props.assistants} />,
            },
          ]}
        />
      )}
    </FormDialog>
  );
}

function General(props: {
  readonly form: Form;
  readonly errorOf: ErrorOf;
  readonly connection: Connection | undefined;
}) {
  const { form, errorOf, connection } = props;
  const t = useMessages(connectionMessages);
  const { hasSimulator } = useUser();
  return (
    <>
      <TextField label={t("name")} error={errorOf("name")} {...form.register("name")} />
      <SelectField
        label={t("provider")}
        error={errorOf("provider")}
        disabled={connection !== undefined}
        {...form.register("provider")}
      >
        <option value="beta">{t("provider_beta")}</option>
        {(hasSimulator || connection?.provider === "simulator") && (
          <option value="simulator">{t("provider_simulator")}</option>
        )}
      </SelectField>
      <SwitchField
        label={t("isDefault")}
        hint={t("isDefaultHint")}
        error={errorOf("isDefault")}
        {...form.register("isDefault")}
      />
      <SelectField label={t("language")} {...form.register("language")}>
        <option value="pt">Português</option>
        <option value="en">English</option>
        <option value="es">Español</option>
      </SelectField>
      <QueuePicker form={form} />
      <TokenField
        label={t("token")}
        hint={t("tokenHint")}
        isSet={connection?.hasToken ?? false}
        value={form.watch("token")}
        onChange={(value) => form.setValue("token", value, { shouldDirty: true })}
        error={errorOf("token")}
      />
    </>
  );
}

function QueuePicker({ form }: { readonly form: Form }) {
  const t = useMessages(connectionMessages);
  const all = useQueues().data;
  return (
    <CheckList
      label={t("queues")}
      note={t(all?.length === 0 ? "noQueues" : "queuesHint")}
      items={all ?? []}
      chosen={existingOf(form.watch("queueIds"), all)}
      onChange={(ids) => form.setValue("queueIds", ids, { shouldDirty: true })}
      isOrdered
    />
  );
}

function Texts({ form, errorOf }: { readonly form: Form; readonly errorOf: ErrorOf }) {
  const t = useMessages(connectionMessages);
  return (
    <>
      <VariableTextField
        label={t("greetingMessage")}
        hint={t("greetingHint")}
        text={form.watch("greetingMessage")}
        error={errorOf("greetingMessage")}
        {...form.register("greetingMessage")}
      />
      {optionalTexts.map((name) => (
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
    </>
  );
}

function Bot({
  form,
  errorOf,
  assistants,
}: {
  readonly form: Form;
  readonly errorOf: ErrorOf;
  readonly assistants: AssistantFields;
}) {
  const t = useMessages(connectionMessages);
  const all = useQueues().data ?? [];
  const isTransferIdle = Number(form.watch("timeToTransfer")) > 0 && !form.watch("transferQueueId");
  return (
    <>
      {assistants({
        promptId: form.watch("promptId"),
        integrationId: form.watch("integrationId"),
        onChange: (name, id) => form.setValue(name, id, { shouldDirty: true }),
      })}
      <FieldRow>
        <SelectField
          label={t("transferQueueId")}
          hint={t(isTransferIdle ? "transferNowhere" : "transferQueueHint")}
          error={errorOf("transferQueueId")}
          {...form.register("transferQueueId", {
            setValueAs: (value: unknown) => (value === "" || value === null ? null : Number(value)),
          })}
        >
          <option value="">{t("none")}</option>
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <NumberField
          label={t("timeToTransfer")}
          hint={t("transferHint")}
          error={errorOf("timeToTransfer")}
          {...form.register("timeToTransfer")}
        />
      </FieldRow>
      <NumberField
        label={t("expiresTicket")}
        hint={t("expiresHint")}
        error={errorOf("expiresTicket")}
        {...form.register("expiresTicket")}
      />
      <NumberField
        label={t("maxUseBotQueues")}
        hint={t("maxHint")}
        error={errorOf("maxUseBotQueues")}
        {...form.register("maxUseBotQueues")}
      />
      <NumberField
        label={t("timeUseBotQueues")}
        hint={t("quietHint")}
        error={errorOf("timeUseBotQueues")}
        {...form.register("timeUseBotQueues")}
      />
    </>
  );
}

function valuesOf(connection: Connection | undefined): ConnectionBody {
  const texts = connection ?? emptyTexts;
  return {
    name: connection?.name ?? "",
    isDefault: connection?.isDefault ?? false,
    provider: connection?.provider ?? connectionDefaults.provider,
    greetingMessage: texts.greetingMessage,
    complationMessage: texts.complationMessage,
    outOfHoursMessage: texts.outOfHoursMessage,
    ratingMessage: texts.ratingMessage,
    expiresInactiveMessage: texts.expiresInactiveMessage,
    token: "",
    promptId: connection?.promptId ?? null,
    integrationId: connection?.integrationId ?? null,
    transferQueueId: connection?.transferQueueId ?? null,
    timeToTransfer: connection?.timeToTransfer ?? connectionDefaults.timeToTransfer,
    expiresTicket: connection?.expiresTicket ?? connectionDefaults.expiresTicket,
    maxUseBotQueues: connection?.maxUseBotQueues ?? connectionDefaults.maxUseBotQueues,
    timeUseBotQueues: connection?.timeUseBotQueues ?? connectionDefaults.timeUseBotQueues,
    language: connection?.language ?? "pt",
    queueIds: queueIdsOf(connection),
  };
}

function queueIdsOf(connection: Connection | undefined): number[] {
  return connection?.queues.map(({ id }) => id) ?? [];
}

const emptyTexts = {
  greetingMessage: "",
  complationMessage: "",
  outOfHoursMessage: "",
  ratingMessage: "",
  expiresInactiveMessage: "",
} as const;
