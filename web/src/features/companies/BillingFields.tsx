import type { CompanyAccount } from "@prosa/contract/companies";
import type { UseFormRegisterReturn } from "react-hook-form";
import { useMessages } from "#web/lib/text/i18n.ts";
import { TextField } from "#web/ui/fields/Field.tsx";
import { FieldRow } from "#web/ui/dialogs/FormDialog.tsx";
import { TokenField } from "#web/ui/fields/TokenField.tsx";
import { accountMessages } from "./account.i18n.ts";

export const billingFields = [
  "billingName",
  "addressZipCode",
  "addressStreet",
  "addressDistrict",
  "addressCity",
  "addressState",
  "taxId",
] as const;
type BillingField = (typeof billingFields)[number];

/** Values of the fields below, also of a new company. */
export function accountValues(account: CompanyAccount | undefined): Record<BillingField, string> & {
  readonly token: string | null;
} {
  return {
    billingName: account?.billingName ?? "",
    addressZipCode: account?.addressZipCode ?? "",
    addressStreet: account?.addressStreet ?? "",
    addressDistrict: account?.addressDistrict ?? "",
    addressCity: account?.addressCity ?? "",
    addressState: account?.addressState ?? "",
    taxId: account?.taxId ?? "",
    token: "",
  };
}

/** Whom an invoice is for and where, and the company's API token (specification 2 section 3). */
export function BillingFields(props: {
  readonly register: (name: BillingField) => UseFormRegisterReturn;
  readonly errorOf: (name: BillingField | "token") => string | undefined;
  readonly hasToken: boolean;
  readonly token: string | null | undefined;
  readonly onToken: (token: string | null) => void;
}) {
  const t = useMessages(accountMessages);
  const field = (name: BillingField, autoComplete: string, maxLength = 200) => (
    <TextField
      label={t(name)}
      isOptional
      autoComplete={autoComplete}
      maxLength={maxLength}
      error={props.errorOf(name)}
      {...props.register(name)}
    />
  );
  return (
    <>
      <FieldRow>
        {field("billingName", "organization")}
        {field("taxId", "off", 30)}
      </FieldRow>
      <FieldRow>
        {field("addressZipCode", "postal-code", 20)}
        {field("addressState", "address-level1")}
      </FieldRow>
      {field("addressStreet", "street-address")}
      <FieldRow>
        {field("addressDistrict", "address-level3")}
        {field("addressCity", "address-level2")}
      </FieldRow>
      <TokenField
        label={t("token")}
        hint={t("tokenHint")}
        isSet={props.hasToken}
        value={props.token}
        onChange={props.onToken}
        error={props.errorOf("token")}
      />
    </>
  );
}
