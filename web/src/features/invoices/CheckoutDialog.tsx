import type { Invoice, PixCharge } from "@prosa/contract/invoices";
import { subscription } from "@prosa/contract/invoices";
import { companies } from "@prosa/contract/companies";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { flushSync } from "react-dom";
import { useForm, type FieldErrors, type UseFormReturn } from "react-hook-form";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { call, useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { FieldRow } from "#web/ui/dialogs/FormDialog.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { serverFieldErrors } from "#web/ui/fields/formRules.ts";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { FailedDialog } from "#web/ui/dialogs/FailedDialog.tsx";
import { nextOrderOptions } from "./invoices.api.ts";
import { invoiceMessages } from "./invoices.i18n.ts";
import { OrderSummary } from "./OrderSummary.tsx";
import { PixStep } from "./PixStep.tsx";

interface Address {
  readonly firstName: string;
  readonly address2: string;
  readonly city: string;
  readonly state: string;
  readonly zipcode: string;
  readonly country: string;
  readonly taxId: string;
}

const steps = ["data", "customize", "review"] as const;
const required = ["firstName", "address2", "city", "zipcode", "country"] as const;

/** Dados, Personalizar, Revisar, then the Pix (F-02). It begins with the plan, as specified; the address is asked for when it lacks. */
export function CheckoutDialog({
  invoice,
  onClose,
}: {
  readonly invoice: Invoice | null;
  readonly onClose: () => void;
}) {
  const t = useMessages(invoiceMessages);
  const { companyId } = useUser();
  const {
    data: account,
    error,
    refetch,
  } = useQuery({
    queryKey: ["companies", "account", companyId],
    queryFn: ({ signal }) => call(companies.account, { params: { id: companyId }, signal }),
    // An order changes it, and so do the settings.
    gcTime: 0,
  });
  const [charge, setCharge] = useState<PixCharge>();
  const [round, setRound] = useState(0);
  if (charge) {
    return (
      <InfoDialog title={t(charge.paidUntil === null ? "pixTitle" : "subscription")} onClose={onClose}>
        <PixStep
          key={`${charge.txid} ${charge.valor.original} ${round}`}
          charge={charge}
          onAgain={async () => {
            setCharge(await call(subscription.create, { body: { invoiceId: charge.invoiceId } }));
            setRound(round + 1);
          }}
        />
      </InfoDialog>
    );
  }
  if (!account) {
    return error && <FailedDialog {...{ error, onClose }} title={t("subscription")} onRetry={() => void refetch()} />;
  }
  const address: Address = {
    firstName: account.billingName,
    address2: account.addressStreet,
    city: account.addressCity,
    state: account.addressState,
    zipcode: account.addressZipCode,
    country: "BR",
    taxId: account.taxId,
  };
  return <Wizard {...{ invoice, address, onClose }} onOrdered={setCharge} />;
}

function Wizard(props: {
  readonly invoice: Invoice | null;
  readonly address: Address;
  readonly onOrdered: (charge: PixCharge) => void;
  readonly onClose: () => void;
}) {
  const t = useMessages(invoiceMessages);
  const [step, setStep] = useState(1);
  const [isBusy, setBusy] = useState(false);
  // Only some providers bill a person: the server says so.
  const [isTaxIdNeeded, setTaxIdNeeded] = useState(false);
  const { data: next } = useQuery({ ...nextOrderOptions, enabled: props.invoice === null });
  const isFree = props.invoice === null && next?.order === null;
  const language = useLanguage();
  const formId = useId();
  const form = useForm<Address>({ defaultValues: props.address, mode: "onChange" });
  const { errors } = form.formState;
  // Required before their step is shown as well: the wizard begins with the plan.
  required.forEach((name) => form.register(name, requiredRule(t(`${name}Required`))));

  const order = async (values: Address) => {
    setBusy(true);
    try {
      const body = { ...values, lastName: "", invoiceId: props.invoice?.id ?? null };
      const charge = await call(subscription.create, { body });
      props.onOrdered(charge);
      if (charge.paidUntil === null) {
        toast.success(t("ordered"));
      }
    } catch (error) {
      setBusy(false);
      const refused = serverFieldErrors(error, {}, language).filter(({ name }) => name in props.address);
      if (refused.length === 0) {
        toast.failure(error);
        return;
      }
      // Said where it is entered; at once, for a field that is not shown takes no focus.
      flushSync(() => {
        setStep(0);
        setTaxIdNeeded(isTaxIdNeeded || (values.taxId.trim() === "" && refused.some(({ name }) => name === "taxId")));
      });
      refused.forEach(({ name, message }, index) =>
        form.setError(name as keyof Address, { message }, { shouldFocus: index === 0 }),
      );
    }
  };
  const goOn = async () => {
    if (step === 2) {
      // What lacks is asked for where it is entered.
      const isWhole = await form.trigger();
      return isWhole ? order(form.getValues()) : setStep(0);
    }
    if (step === 0 && !(await form.trigger())) {
      return undefined;
    }
    return setStep(step + 1);
  };
  const actions = (
    <>
      {step > 0 && (
        <Button disabled={isBusy} onClick={() => setStep(step - 1)}>
          {t("back")}
        </Button>
      )}
      {step === 0 ? (
        <Button kind="primary" type="submit" form={formId}>
          {t("next")}
        </Button>
      ) : (
        // The second click of a double click would order what its first one has just shown for review.
        <Button kind="primary" isBusy={isBusy} onClick={({ detail }) => detail <= 1 && void goOn()}>
          {t(step === 2 ? "send" : "next")}
        </Button>
      )}
    </>
  );
  return (
    <InfoDialog title={t(isFree ? "subscription" : "checkout")} onClose={props.onClose} actions={!isFree && actions}>
      {!isFree && (
        <Steps>
          {steps.map((name, index) => (
            <li key={name} aria-current={index === step ? "step" : undefined} data-done={index < step || undefined}>
              {t(name)}
            </li>
          ))}
        </Steps>
      )}
      {step === 0 && !isFree ? (
        <Form
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void goOn();
          }}
        >
          <AddressFields {...{ form, errors, isTaxIdNeeded }} />
        </Form>
      ) : (
        <OrderSummary invoice={props.invoice} address={step === 2 ? form.getValues() : undefined} />
      )}
    </InfoDialog>
  );
}

const requiredRule = (text: string) => ({ validate: (value: string) => value.trim() !== "" || text });

function AddressFields(props: {
  readonly form: UseFormReturn<Address>;
  readonly errors: FieldErrors<Address>;
  readonly isTaxIdNeeded: boolean;
}) {
  const { form, errors, isTaxIdNeeded } = props;
  const t = useMessages(invoiceMessages);
  const field = (name: keyof Address) => {
    const needed = [...required, ...(isTaxIdNeeded ? (["taxId"] as const) : [])].find((one) => one === name);
    return {
      label: t(name === "state" ? "addressState" : name),
      error: errors[name]?.message,
      ...(needed === undefined && { isOptional: true }),
      ...form.register(name, needed && requiredRule(t(`${needed}Required`))),
    };
  };
  return (
    <>
      <TextField autoComplete="name" {...field("firstName")} />
      <TextField autoComplete="street-address" {...field("address2")} />
      <FieldRow>
        <TextField autoComplete="address-level2" {...field("city")} />
        <TextField autoComplete="address-level1" {...field("state")} />
      </FieldRow>
      <FieldRow>
        <TextField autoComplete="postal-code" inputMode="numeric" {...field("zipcode")} />
        <SelectField {...field("country")} value={form.watch("country")}>
          <option value="BR">BR</option>
          <option value="usa">usa</option>
        </SelectField>
      </FieldRow>
      <TextField inputMode="numeric" {...field("taxId")} />
    </>
  );
}

const Form = styled("form")({ display: "flex", flexDirection: "column", gap: 16 });
const Steps = styled("ol")({
  display: "flex",
  gap: 8,
  margin: 0,
  padding: 0,
  listStyle: "none",
  fontSize: 13,
  color: color.ink2,
  "& li": { flex: 1, paddingTop: 8, borderTop: `3px solid ${color.line}` },
  "& li[data-done]": { borderTopColor: color.accent },
  "& li[aria-current]": { borderTopColor: color.accent, color: color.ink, fontWeight: 600 },
});
