import { invoices, type BillingSettings } from "@prosa/contract/invoices";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { useMessages } from "#web/lib/text/i18n.ts";
import { call } from "#web/lib/session/session.ts";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { PasswordField, TextArea, TextField } from "#web/ui/fields/Field.tsx";
import { NumberField } from "#web/ui/fields/NumberField.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { FailedDialog } from "#web/ui/dialogs/FailedDialog.tsx";
import { bodyOf, hasFieldsOf, valuesOf, type BillingValues } from "./billing-values.ts";
import { billingSettingsOptions } from "./invoices.api.ts";
import { operatorMessages } from "./operator.i18n.ts";

type Form = UseFormReturn<BillingValues>;
type ErrorOf = (name: keyof BillingValues) => string | undefined;

const brands = { efi: "Efí", asaas: "Asaas" } as const;

/** How the operator is paid, and how long an overdue company is still served. Keys are written, never shown. */
export function BillingSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(operatorMessages);
  const queryClient = useQueryClient();
  const { data: saved, error, refetch } = useQuery(billingSettingsOptions);
  if (!saved) {
    return error && <FailedDialog {...{ error, onClose }} title={t("settings")} onRetry={() => void refetch()} />;
  }
  const nameOf = (provider: BillingValues["provider"]) => (provider === "static" ? t("static") : brands[provider]);
  const askToReturn = (now: BillingValues["provider"], typed: BillingValues["provider"]) =>
    confirm({
      title: t("providerChanged"),
      text: t("providerChangedText", { now: nameOf(now), typed: nameOf(typed) }),
      verb: t("saveTyped"),
    });
  return (
    <FormDialog<BillingValues>
      title={t("settings")}
      values={valuesOf(saved)}
      savedText={t("saved")}
      onClose={onClose}
      onSave={async ({ provider }, changed) => {
        // The rest as it is now: another operator may have saved it meanwhile.
        const now = await call(invoices.settings, {});
        // Another provider as well: what was typed for the one that is shown would be lost.
        const isOther = changed.provider === undefined && now.provider !== provider && hasFieldsOf(provider, changed);
        if (isOther && !(await askToReturn(now.provider, provider))) {
          return false;
        }
        const body = bodyOf({ ...valuesOf(now), ...changed, ...(isOther && { provider }) });
        const next = await call(invoices.saveSettings, { body });
        queryClient.setQueryData(billingSettingsOptions.queryKey, next);
        return true;
      }}
    >
      {(form, errorOf) => (
        <>
          <NumberField
            label={t("grace")}
            hint={t("graceHint")}
            error={errorOf("graceDays")}
            {...form.register("graceDays")}
          />
          <SelectField label={t("provider")} error={errorOf("provider")} {...form.register("provider")}>
            <option value="static">{t("static")}</option>
            <option value="efi">{brands.efi}</option>
            <option value="asaas">{brands.asaas}</option>
          </SelectField>
          <ProviderFields {...{ form, errorOf, saved }} />
        </>
      )}
    </FormDialog>
  );
}

function ProviderFields({ form, errorOf, saved }: { form: Form; errorOf: ErrorOf; saved: BillingSettings }) {
  const t = useMessages(operatorMessages);
  const provider = form.watch("provider");
  const text = (name: "pixKey" | "pixName" | "pixCity" | "clientId") => ({
    label: t(name),
    error: errorOf(name),
    ...form.register(name),
  });
  const environment = (name: "efiEnvironment" | "asaasEnvironment") => (
    <SelectField label={t("environment")} {...form.register(name)}>
      <option value="production">{t("production")}</option>
      <option value="sandbox">{t("sandbox")}</option>
    </SelectField>
  );
  const secret = (name: "clientSecret" | "apiKey" | "webhookToken", isKept: boolean, hint?: string) => (
    <PasswordField
      label={t(name)}
      autoComplete="off"
      hint={isKept ? t("kept") : hint}
      error={errorOf(name)}
      {...form.register(name)}
    />
  );
  const receiver = (
    <FieldRow>
      <TextField {...text("pixName")} />
      <TextField {...text("pixCity")} />
    </FieldRow>
  );
  if (provider === "static") {
    return (
      <>
        <TextField {...text("pixKey")} />
        {receiver}
      </>
    );
  }
  if (provider === "efi") {
    const { hasKeys, webhookUrl } = saved.efi;
    return (
      <>
        <FieldRow>
          <TextField
            label={t("pixKey")}
            hint={t("webhookHint", { url: new URL(webhookUrl).origin })}
            {...form.register("efiKey")}
          />
          {environment("efiEnvironment")}
        </FieldRow>
        <TextField {...text("clientId")} {...(hasKeys && { hint: t("kept") })} autoComplete="off" />
        {secret("clientSecret", hasKeys)}
        <TextArea
          label={t("certificate")}
          rows={4}
          hint={hasKeys ? t("kept") : t("certificateHint")}
          error={errorOf("certificate")}
          {...form.register("certificate")}
        />
        {receiver}
      </>
    );
  }
  const { hasKeys, webhookUrl } = saved.asaas;
  return (
    <>
      {environment("asaasEnvironment")}
      {secret("apiKey", hasKeys)}
      {secret("webhookToken", false, t("webhookTokenHint", { url: webhookUrl }))}
      {receiver}
    </>
  );
}
