import {
  globalLocation,
  integrationLanguages,
  integrationTypes,
  signedTypes,
  typebotDefaults,
  type IntegrationType,
  type QueueIntegration,
  type QueueIntegrationBody,
} from "@prosa/contract/queue-integrations";
import { KeyRound } from "lucide-react";
import type { UseFormReturn } from "react-hook-form";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { TextArea, TextField } from "#web/ui/fields/Field.tsx";
import { NumberField } from "#web/ui/fields/NumberField.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { withoutEmpty } from "#web/ui/fields/changed-values.ts";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { typeNames } from "./IntegrationType.tsx";
import { ProtocolHelp } from "./ProtocolHelp.tsx";
import { useRenewIntegrationSecret, useSaveIntegration } from "./queue-integrations.api.ts";
import { integrationMessages } from "./queue-integrations.i18n.ts";

interface PartProps {
  readonly form: UseFormReturn<QueueIntegrationBody>;
  readonly errorOf: (name: keyof QueueIntegrationBody) => string | undefined;
}

/** Adds or edits an integration; each type has its own fields (O-09). The service account is write-only. */
export function QueueIntegrationDialog({
  integration,
  onSecret,
  onClose,
}: {
  readonly integration: QueueIntegration | undefined;
  /** Gets what signs its calls, which is shown once. */
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}) {
  const t = useMessages(integrationMessages);
  const save = useSaveIntegration();
  return (
    <FormDialog<QueueIntegrationBody>
      title={integration ? t("edit", { name: integration.name }) : t("add")}
      values={valuesOf(integration)}
      schema={() => import("#schemas/queue-integrations").then((module) => module.queueIntegrationBody)}
      fieldOfError={{ ERR_NAME_TAKEN: "name" }}
      savedText={t("saved")}
      onClose={onClose}
      onSave={async (whole, changed) => {
        const secret = await save.mutateAsync(
          integration ? { id: integration.id, body: withoutEmpty(changed, ["jsonContent"]) } : { body: whole },
        );
        if (secret !== null) {
          onSecret(secret);
        }
      }}
      actions={
        integration && signedTypes.includes(integration.type) && <RenewButton id={integration.id} onSecret={onSecret} />
      }
    >
      {(form, errorOf) => {
        const type = form.watch("type");
        return (
          <>
            <FieldRow>
              <SelectField
                label={t("type")}
                error={errorOf("type")}
                {...form.register("type", { onChange: () => putBackHidden(form, integration) })}
              >
                {integrationTypes.map((one) => (
                  <option key={one} value={one}>
                    {typeNames[one]}
                  </option>
                ))}
              </SelectField>
              <TextField label={t("name")} maxLength={50} error={errorOf("name")} {...form.register("name")} />
            </FieldRow>
            {type === "dialogflow" ? (
              <Dialogflow form={form} errorOf={errorOf} hasAccount={integration?.hasJsonContent ?? false} />
            ) : (
              <TextField
                label={t("url")}
                hint={t(`${type}Hint`)}
                inputMode="url"
                placeholder="https://"
                error={errorOf("urlN8N")}
                {...form.register("urlN8N")}
              />
            )}
            {type === "typebot" && <Typebot form={form} errorOf={errorOf} />}
            {signedTypes.includes(type) && <ProtocolHelp />}
          </>
        );
      }}
    </FormDialog>
  );
}

function Dialogflow({ form, errorOf, hasAccount }: PartProps & { readonly hasAccount: boolean }) {
  const t = useMessages(integrationMessages);
  return (
    <>
      <FieldRow>
        <TextField label={t("projectName")} error={errorOf("projectName")} {...form.register("projectName")} />
        <SelectField label={t("language")} error={errorOf("language")} {...form.register("language")}>
          {integrationLanguages.map((language) => (
            <option key={language} value={language}>
              {languageNames[language]}
            </option>
          ))}
        </SelectField>
      </FieldRow>
      <TextField
        label={t("location")}
        hint={t("locationHint")}
        list={regionList}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        error={errorOf("location")}
        {...form.register("location")}
      />
      <datalist id={regionList}>
        {regions.map((region) => (
          <option key={region} value={region} />
        ))}
      </datalist>
      <TextArea
        label={t("json")}
        hint={t(hasAccount ? "jsonSet" : "jsonHint")}
        spellCheck={false}
        autoComplete="off"
        style={{ minHeight: 120 }}
        error={errorOf("jsonContent")}
        {...form.register("jsonContent")}
      />
    </>
  );
}

function Typebot({ form, errorOf }: PartProps) {
  const t = useMessages(integrationMessages);
  return (
    <>
      <TextField
        label={t("slug")}
        hint={t("slugHint")}
        error={errorOf("typebotSlug")}
        {...form.register("typebotSlug")}
      />
      <FieldRow>
        <NumberField label={t("expires")} error={errorOf("typebotExpires")} {...form.register("typebotExpires")} />
        <NumberField
          label={t("delay")}
          error={errorOf("typebotDelayMessage")}
          {...form.register("typebotDelayMessage")}
        />
      </FieldRow>
      <FieldRow>
        <TextField
          label={t("finish")}
          isOptional
          error={errorOf("typebotKeywordFinish")}
          {...form.register("typebotKeywordFinish")}
        />
        <TextField
          label={t("restart")}
          isOptional
          error={errorOf("typebotKeywordRestart")}
          {...form.register("typebotKeywordRestart")}
        />
      </FieldRow>
      <TextArea
        label={t("unknown")}
        isOptional
        error={errorOf("typebotUnknownMessage")}
        {...form.register("typebotUnknownMessage")}
      />
      <TextArea
        label={t("restartMessage")}
        isOptional
        error={errorOf("typebotRestartMessage")}
        {...form.register("typebotRestartMessage")}
      />
    </>
  );
}

function RenewButton({ id, onSecret }: { readonly id: number; readonly onSecret: (secret: string) => void }) {
  const t = useMessages(integrationMessages);
  const { mutateAsync } = useRenewIntegrationSecret(id);
  const ask = () =>
    void confirm({
      title: t("renewTitle"),
      text: t("renewText"),
      verb: t("renew"),
      isDangerous: true,
      run: async () => onSecret((await mutateAsync()) ?? ""),
    });
  return (
    <Button kind="quiet" icon={<KeyRound size={16} />} onClick={ask}>
      {t("renew")}
    </Button>
  );
}

/** Puts fields that the new type hides back: what was typed there would be refused, or saved, without being visible. */
function putBackHidden(form: UseFormReturn<QueueIntegrationBody>, integration: QueueIntegration | undefined): void {
  const stored = valuesOf(integration);
  const shown: readonly (keyof QueueIntegrationBody)[] = fieldsOf[form.getValues("type")];
  form.clearErrors();
  for (const name of Object.values(fieldsOf).flat()) {
    if (!shown.includes(name)) {
      form.setValue(name, stored[name]);
    }
  }
}

/** What the form of each type has besides the name. */
const fieldsOf = {
  dialogflow: ["projectName", "language", "location", "jsonContent"],
  n8n: ["urlN8N"],
  webhook: ["urlN8N"],
  typebot: [
    ...(["urlN8N", "typebotSlug", "typebotExpires", "typebotDelayMessage", "typebotKeywordFinish"] as const),
    ...(["typebotKeywordRestart", "typebotUnknownMessage", "typebotRestartMessage"] as const),
  ],
} as const satisfies Record<IntegrationType, readonly (keyof QueueIntegrationBody)[]>;

/** Where Dialogflow ES keeps agents; another one can be typed. */
const regions = [globalLocation, "europe-west1", "europe-west2", "australia-southeast1", "asia-northeast1"];
const regionList = "dialogflow-regions";

const languageNames = { "pt-BR": "Português", en: "English", es: "Español" } as const;

function valuesOf(integration: QueueIntegration | undefined): QueueIntegrationBody {
  return {
    type: integration?.type ?? "dialogflow",
    name: integration?.name ?? "",
    projectName: integration?.projectName ?? "",
    location: integration?.location ?? globalLocation,
    jsonContent: "",
    language: integration?.language ?? "pt-BR",
    urlN8N: integration?.urlN8N ?? "",
    typebotSlug: integration?.typebotSlug ?? "",
    typebotDelayMessage: integration?.typebotDelayMessage ?? typebotDefaults.delayMessage,
    typebotExpires: integration?.typebotExpires ?? typebotDefaults.expires,
    typebotKeywordFinish: integration?.typebotKeywordFinish ?? "",
    typebotKeywordRestart: integration?.typebotKeywordRestart ?? "",
    typebotRestartMessage: integration?.typebotRestartMessage ?? "",
    typebotUnknownMessage: integration?.typebotUnknownMessage ?? "",
  };
}
