import { recurrenceMonths, type CompanyRecord, type Recurrence } from "@prosa/contract/companies";
import { addMonths } from "@prosa/contract/due-dates";
import { useQuery } from "@tanstack/react-query";
import { CalendarPlus } from "lucide-react";
import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { recordMessages } from "#web/lib/records/records.i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { DateField } from "#web/ui/dates/DateField.tsx";
import { PasswordField, SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { FormTabs } from "#web/ui/dialogs/FormTabs.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { accountValues, billingFields, BillingFields } from "./BillingFields.tsx";
import { companiesResource, planChoices, withCurrentDueDate } from "./companies.api.ts";
import { companyMessages } from "./companies.i18n.ts";
import { useToday } from "./useToday.ts";

interface CompanyForm extends ReturnType<typeof accountValues> {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
  readonly planId: number | "";
  readonly status: boolean;
  readonly campaignsEnabled: boolean;
  /** Empty for a company without a due date. */
  readonly dueDate: string;
  readonly recurrence: Recurrence;
  readonly isTrial: boolean;
}

const dataFields = [
  "name",
  "phone",
  "email",
  "password",
  "planId",
  "recurrence",
  "dueDate",
  "isTrial",
  "status",
] as const;

/** Adds a company with its first admin, or edits one (Y-01). */
export function CompanyDialog(props: { readonly company: CompanyRecord | undefined; readonly onClose: () => void }) {
  const { onClose } = props;
  // As it was when the form opened: the list behind it follows other changes.
  const [company] = useState(props.company);
  const t = useMessages(companyMessages);
  const record = useMessages(recordMessages);
  const save = companiesResource.useSave();
  const plans = useQuery(planChoices).data ?? [];
  const askToMove = useDueDateQuestion();
  const isOwn = useUser().companyId === company?.id;
  return (
    <FormDialog<CompanyForm>
      title={company ? t("edit", { name: company.name }) : t("add")}
      values={valuesOf(company)}
      schema={() =>
        import("#schemas/companies").then((module) => (company ? module.companyChanges : module.companyBody))
      }
      fieldOfError={{ ERR_NAME_TAKEN: "name", ERR_EMAIL_TAKEN: "email", ERR_DUE_DATE_PAID: "dueDate" }}
      savedText={record("done")}
      failedText={t("saveFailed")}
      onClose={onClose}
      onSave={async (whole, changed) => {
        const body = company
          ? await withCurrentDueDate(company, changed, (now) => askToMove(now, whole.dueDate))
          : whole;
        return body !== null && (await save.mutateAsync({ id: company?.id, body }));
      }}
    >
      {(form, errorOf) => {
        const data = (
          <>
            <FieldRow>
              <TextField label={t("name")} maxLength={50} error={errorOf("name")} {...form.register("name")} />
              <TextField
                label={t("phone")}
                type="tel"
                isOptional
                maxLength={30}
                error={errorOf("phone")}
                {...form.register("phone")}
              />
            </FieldRow>
            <TextField
              label={t("email")}
              type="email"
              autoComplete="off"
              hint={company ? undefined : t("emailHint")}
              error={errorOf("email")}
              {...form.register("email")}
            />
            {!company && (
              <PasswordField
                label={t("password")}
                autoComplete="new-password"
                error={errorOf("password")}
                {...form.register("password")}
              />
            )}
            <FieldRow>
              <SelectField label={t("plan")} error={errorOf("planId")} {...form.register("planId")}>
                <option value="">{t("choosePlan")}</option>
                {plans.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectField>
              <SelectField label={t("recurrence")} error={errorOf("recurrence")} {...form.register("recurrence")}>
                {offeredRecurrences(company).map((recurrence) => (
                  <option key={recurrence} value={recurrence}>
                    {t(recurrence)}
                  </option>
                ))}
              </SelectField>
            </FieldRow>
            <DueDate form={form} dueDay={company?.dueDay ?? null} error={errorOf("dueDate")} />
            <SwitchField label={t("trialField")} hint={t("trialHint")} {...form.register("isTrial")} />
            <SwitchField
              label={t("statusField")}
              hint={t(isOwn ? "ownStatus" : "statusHint")}
              disabled={isOwn}
              checked={form.watch("status")}
              onChange={({ target }) => form.setValue("status", target.checked, { shouldDirty: true })}
            />
            <SwitchField label={t("campaignsField")} {...form.register("campaignsEnabled")} />
          </>
        );
        const billing = (
          <BillingFields
            register={form.register}
            errorOf={errorOf}
            hasToken={company?.hasToken ?? false}
            token={form.watch("token")}
            onToken={(token) => form.setValue("token", token, { shouldDirty: true })}
          />
        );
        return (
          <FormTabs
            label={t("title")}
            form={form}
            tabs={[
              { key: "data", label: t("tabData"), fields: dataFields, panel: data },
              { key: "billing", label: t("tabBilling"), fields: [...billingFields, "token"], panel: billing },
            ]}
          />
        );
      }}
    </FormDialog>
  );
}

/** Asks before a due date that has moved since the form opened is moved again: the company has perhaps paid for it. */
function useDueDateQuestion() {
  const t = useMessages(companyMessages);
  const format = useFormat();
  const nameOf = (day: string | null) => (day ? format.date(day) : t("never"));
  return (now: string | null, typed: string) =>
    confirm({
      title: t("dueDateMoved"),
      text: t("dueDateMovedText", { now: nameOf(now), typed: nameOf(typed) }),
      verb: t("saveTyped"),
      isDangerous: true,
    });
}

/** The last paid day; the button adds a recurrence to it. */
function DueDate(props: {
  readonly form: UseFormReturn<CompanyForm>;
  readonly dueDay: number | null;
  readonly error: string | undefined;
}) {
  const { form, dueDay, error } = props;
  const t = useMessages(companyMessages);
  const today = useToday();
  const months = recurrenceMonths[form.watch("recurrence")];
  const later = () =>
    form.setValue("dueDate", addMonths(form.getValues("dueDate") || today, months, dueDay), { shouldDirty: true });
  return (
    <DueRow>
      <DateField label={t("dueDate")} hint={t("dueHint")} error={error} {...form.register("dueDate")} />
      <Button icon={<CalendarPlus size={16} />} onClick={later}>
        {t("later", { count: months })}
      </Button>
    </DueRow>
  );
}

/** New companies pay monthly; another stored recurrence stays on offer until it is changed (specification 2 section 9). */
function offeredRecurrences(company: CompanyRecord | undefined): Recurrence[] {
  return [...new Set<Recurrence>(["MENSAL", company?.recurrence ?? "MENSAL"])];
}

function valuesOf(company: CompanyRecord | undefined): CompanyForm {
  return {
    name: company?.name ?? "",
    email: company?.email ?? "",
    phone: company?.phone ?? "",
    password: "",
    planId: company?.planId ?? "",
    status: company?.status ?? true,
    campaignsEnabled: company?.campaignsEnabled ?? true,
    dueDate: company?.dueDate ?? "",
    recurrence: company?.recurrence ?? "MENSAL",
    isTrial: company?.isTrial ?? false,
    ...accountValues(company),
  };
}

const DueRow = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) auto",
  gap: 8,
  // beside the field, which has its label above and its hint below
  "& > button": { alignSelf: "start", marginTop: 23, minHeight: 38 },
});
