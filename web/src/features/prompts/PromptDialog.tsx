import { promptDefaults, promptVoices, type Prompt, type PromptBody } from "@prosa/contract/prompts";
import type { UseFormReturn } from "react-hook-form";
import { useQueues } from "#web/features/queues/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { withoutEmpty } from "#web/ui/fields/changed-values.ts";
import { PasswordField, SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { NumberField } from "#web/ui/fields/NumberField.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { VariableTextField } from "#web/ui/fields/VariableTextField.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { promptsResource } from "./prompts.api.ts";
import { promptMessages } from "./prompts.i18n.ts";

type Values = Omit<PromptBody, "queueId" | "voice"> & { readonly queueId: number | ""; readonly voice: string };
interface PartProps {
  readonly form: UseFormReturn<Values>;
  readonly errorOf: (name: keyof Values) => string | undefined;
  readonly prompt: Prompt | undefined;
}

/** Adds or edits an AI prompt (O-08). API keys are write-only: an empty field keeps the stored key. */
export function PromptDialog({
  prompt,
  onClose,
}: {
  readonly prompt: Prompt | undefined;
  readonly onClose: () => void;
}) {
  const t = useMessages(promptMessages);
  const save = promptsResource.useSave();
  return (
    <FormDialog<Values>
      title={prompt ? t("edit", { name: prompt.name }) : t("add")}
      values={valuesOf(prompt)}
      schema={() => import("#schemas/prompts").then((module) => module.promptBody)}
      fieldOfError={{ ERR_NAME_TAKEN: "name", ERR_NO_QUEUE_FOUND: "queueId" }}
      savedText={t("saved")}
      onClose={onClose}
      onSave={(whole, changed) =>
        // validated by the schema
        save.mutateAsync({
          id: prompt?.id,
          body: (prompt ? withoutEmpty(changed, ["apiKey", "voiceKey"]) : whole) as Partial<PromptBody>,
        })
      }
    >
      {(form, errorOf) => (
        <>
          <Instructions form={form} errorOf={errorOf} prompt={prompt} />
          <Model form={form} errorOf={errorOf} prompt={prompt} />
          <Voice form={form} errorOf={errorOf} prompt={prompt} />
        </>
      )}
    </FormDialog>
  );
}

function Instructions({ form, errorOf }: PartProps) {
  const t = useMessages(promptMessages);
  const queues = useQueues().data;
  return (
    <>
      <FieldRow>
        <TextField label={t("name")} maxLength={100} error={errorOf("name")} {...form.register("name")} />
        <SelectField
          label={t("queue")}
          error={errorOf("queueId")}
          {...form.register("queueId", { setValueAs: (value: unknown) => (value === "" ? "" : Number(value)) })}
        >
          <option value="">{t("chooseQueue")}</option>
          {queues?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </FieldRow>
      <VariableTextField
        text={form.watch("prompt")}
        label={t("prompt")}
        hint={t("promptHint")}
        style={{ minHeight: 120 }}
        error={errorOf("prompt")}
        {...form.register("prompt")}
      />
    </>
  );
}

function Model({ form, errorOf, prompt }: PartProps) {
  const t = useMessages(promptMessages);
  return (
    <>
      <Numbers>
        <NumberField
          label={t("maxTokens")}
          hint={t("maxTokensHint")}
          error={errorOf("maxTokens")}
          {...form.register("maxTokens")}
        />
        <NumberField
          label={t("temperature")}
          hint={t("temperatureHint")}
          error={errorOf("temperature")}
          kind="decimal"
          {...form.register("temperature")}
        />
        <NumberField
          label={t("maxMessages")}
          hint={t("maxMessagesHint")}
          error={errorOf("maxMessages")}
          {...form.register("maxMessages")}
        />
      </Numbers>
      <PasswordField
        label={t("apiKey")}
        hint={t(apiKeyHint(form.watch("baseUrl"), prompt))}
        autoComplete="off"
        error={errorOf("apiKey")}
        {...form.register("apiKey")}
      />
      <FieldRow>
        <TextField label={t("model")} error={errorOf("model")} {...form.register("model")} />
        <TextField label={t("baseUrl")} inputMode="url" error={errorOf("baseUrl")} {...form.register("baseUrl")} />
      </FieldRow>
      <FieldRow>
        <TextField
          label={t("embeddingModel")}
          hint={t("embeddingHint")}
          isOptional
          error={errorOf("embeddingModel")}
          {...form.register("embeddingModel")}
        />
        <TextField
          label={t("transcriptionModel")}
          hint={t("transcriptionHint")}
          isOptional
          error={errorOf("transcriptionModel")}
          {...form.register("transcriptionModel")}
        />
      </FieldRow>
      <FieldRow>
        <NumberField
          label={t("monthlyTokens")}
          hint={t("monthlyTokensHint")}
          isOptional
          error={errorOf("monthlyTokens")}
          {...form.register("monthlyTokens", orNull)}
        />
        <NumberField
          label={t("monthlyCost")}
          hint={t("monthlyCostHint")}
          isOptional
          error={errorOf("monthlyCost")}
          kind="decimal"
          {...form.register("monthlyCost", orNull)}
        />
      </FieldRow>
      <FieldRow>
        <NumberField
          label={t("inputPrice")}
          hint={t("priceHint")}
          isOptional
          error={errorOf("inputPrice")}
          kind="decimal"
          {...form.register("inputPrice", orNull)}
        />
        <NumberField
          label={t("outputPrice")}
          hint={t("priceHint")}
          isOptional
          error={errorOf("outputPrice")}
          kind="decimal"
          {...form.register("outputPrice", orNull)}
        />
      </FieldRow>
      <SwitchField label={t("readsPictures")} hint={t("readsPicturesHint")} {...form.register("readsPictures")} />
    </>
  );
}

const orNull = { setValueAs: (value: unknown) => (value === "" ? null : value) };

function Voice({ form, errorOf, prompt }: PartProps) {
  const t = useMessages(promptMessages);
  return (
    <>
      <SelectField
        label={t("voice")}
        error={errorOf("voice")}
        {...form.register("voice", { onChange: () => putBackHidden(form, prompt) })}
      >
        {promptVoices.map((voice) => (
          <option key={voice} value={voice}>
            {voice === "text" ? t("voiceText") : voiceName(voice)}
          </option>
        ))}
      </SelectField>
      {form.watch("voice") !== "text" && (
        <FieldRow>
          <PasswordField
            label={t("voiceKey")}
            hint={t(voiceKeyHint(form.watch("voiceRegion"), prompt))}
            autoComplete="off"
            error={errorOf("voiceKey")}
            {...form.register("voiceKey")}
          />
          <TextField
            label={t("voiceRegion")}
            placeholder="brazilsouth"
            error={errorOf("voiceRegion")}
            {...form.register("voiceRegion")}
          />
        </FieldRow>
      )}
    </>
  );
}

/** The stored key stays with the address that it was given for. */
function apiKeyHint(baseUrl: string, prompt: Prompt | undefined) {
  if (!prompt?.hasApiKey) {
    return "keyHint";
  }
  return URL.parse(baseUrl.trim())?.origin === URL.parse(prompt.baseUrl)?.origin ? "keySet" : "keyMoved";
}

/** The stored key of the voice stays with its region too; before there was one it was sent nowhere. */
function voiceKeyHint(region: string, prompt: Prompt | undefined) {
  if (!prompt?.hasVoiceKey) {
    return "keyHint";
  }
  const isMoved = prompt.voiceRegion !== "" && region.trim().toLowerCase() !== prompt.voiceRegion;
  return isMoved ? "keyMoved" : "keySet";
}

/** Text has no fields of the voice: what was typed there would be refused, or saved, without being visible. */
function putBackHidden(form: UseFormReturn<Values>, prompt: Prompt | undefined): void {
  if (form.getValues("voice") !== "text") {
    return;
  }
  const { voiceRegion, voiceKey } = valuesOf(prompt);
  form.setValue("voiceRegion", voiceRegion);
  form.setValue("voiceKey", voiceKey);
  form.clearErrors(["voiceRegion", "voiceKey"]);
}

/** pt-BR-FranciscaNeural → Francisca. */
function voiceName(voice: string): string {
  return voice.replace(/^pt-BR-|Neural$/g, "");
}

function valuesOf(prompt: Prompt | undefined): Values {
  return {
    name: prompt?.name ?? "",
    queueId: prompt?.queueId ?? "",
    prompt: prompt?.prompt ?? "",
    maxTokens: prompt?.maxTokens ?? promptDefaults.maxTokens,
    temperature: prompt?.temperature ?? promptDefaults.temperature,
    maxMessages: prompt?.maxMessages ?? promptDefaults.maxMessages,
    model: prompt?.model ?? promptDefaults.model,
    baseUrl: prompt?.baseUrl ?? promptDefaults.baseUrl,
    embeddingModel: prompt?.embeddingModel ?? promptDefaults.embeddingModel,
    transcriptionModel: prompt?.transcriptionModel ?? promptDefaults.transcriptionModel,
    monthlyTokens: prompt?.monthlyTokens ?? promptDefaults.monthlyTokens,
    monthlyCost: prompt?.monthlyCost ?? promptDefaults.monthlyCost,
    inputPrice: prompt?.inputPrice ?? promptDefaults.inputPrice,
    outputPrice: prompt?.outputPrice ?? promptDefaults.outputPrice,
    readsPictures: prompt?.readsPictures ?? promptDefaults.readsPictures,
    voice: prompt?.voice ?? promptDefaults.voice,
    voiceRegion: prompt?.voiceRegion ?? "",
    apiKey: "",
    voiceKey: "",
  };
}

const Numbers = styled("div")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(130px, 100%), 1fr))",
  gap: 16,
});
