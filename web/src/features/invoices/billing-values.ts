import type { BillingSettings } from "@prosa/contract/invoices";

type Environment = BillingSettings["efi"]["environment"];

/** The form of how the operator is paid: the fields of all providers, of which those of the chosen one are shown and sent. */
export interface BillingValues {
  readonly graceDays: number | string;
  readonly provider: BillingSettings["provider"];
  readonly pixKey: string;
  readonly pixName: string;
  readonly pixCity: string;
  readonly efiKey: string;
  readonly efiEnvironment: Environment;
  readonly asaasEnvironment: Environment;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly certificate: string;
  readonly apiKey: string;
  readonly webhookToken: string;
}

/** Pure: what is stored, with empty secrets, which stay as they are. */
export function valuesOf({
  graceDays,
  provider,
  pixKey,
  pixName,
  pixCity,
  efi,
  asaas,
}: BillingSettings): BillingValues {
  return {
    ...{ graceDays, provider, pixKey, pixName, pixCity, efiKey: efi.pixKey },
    ...{ efiEnvironment: efi.environment, asaasEnvironment: asaas.environment },
    ...{ clientId: "", clientSecret: "", certificate: "", apiKey: "", webhookToken: "" },
  };
}

const fieldsOf: Readonly<Record<BillingValues["provider"], readonly (keyof BillingValues)[]>> = {
  static: ["pixKey"],
  efi: ["efiKey", "efiEnvironment", "clientId", "clientSecret", "certificate"],
  asaas: ["asaasEnvironment", "apiKey", "webhookToken"],
};

/** Pure: is there something among these changes that only this provider uses? */
export function hasFieldsOf(provider: BillingValues["provider"], changed: Partial<BillingValues>): boolean {
  return fieldsOf[provider].some((name) => changed[name] !== undefined);
}

/** Pure: what is saved. */
export function bodyOf(values: BillingValues) {
  const { graceDays, provider, pixKey, pixName, pixCity } = values;
  const common = { graceDays: Number(graceDays), provider, pixKey, pixName, pixCity };
  const { efiKey, efiEnvironment, asaasEnvironment, clientId, clientSecret, certificate, apiKey, webhookToken } =
    values;
  switch (provider) {
    case "static":
      return common;
    case "efi":
      return {
        ...common,
        efi: { environment: efiEnvironment, pixKey: efiKey, clientId, clientSecret, certificate },
      };
    case "asaas":
      return { ...common, asaas: { environment: asaasEnvironment, apiKey, webhookToken } };
  }
}
