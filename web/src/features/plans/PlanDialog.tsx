import { planFlags } from "@prosa/contract/plan-flags";
import type { OfferedPlan, PlanBody } from "@prosa/contract/plans";
import { useMessages } from "#web/lib/text/i18n.ts";
import { recordMessages } from "#web/lib/records/records.i18n.ts";
import { SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { NumberField } from "#web/ui/fields/NumberField.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { plansResource } from "./plans.api.ts";
import { planMessages } from "./plans.i18n.ts";

const limits = ["users", "connections", "queues"] as const;

/** Adds or edits a plan: its limits, its price and its features (Y-02). */
export function PlanDialog({
  plan,
  onClose,
}: {
  readonly plan: OfferedPlan | undefined;
  readonly onClose: () => void;
}) {
  const t = useMessages(planMessages);
  const record = useMessages(recordMessages);
  const save = plansResource.useSave();
  const companies = plan?.companies ?? 0;
  return (
    <FormDialog<PlanBody>
      title={plan ? t("edit", { name: plan.name }) : t("add")}
      values={valuesOf(plan)}
      schema={() => import("#schemas/plans").then((module) => module.planBody)}
      fieldOfError={{ ERR_NAME_TAKEN: "name" }}
      savedText={record("done")}
      failedText={t("saveFailed")}
      onClose={onClose}
      onSave={(whole, changed) => save.mutateAsync({ id: plan?.id, body: plan ? changed : whole })}
    >
      {(form, errorOf) => (
        <>
          {companies > 0 && <Note>{t("changesAtOnce", { count: companies })}</Note>}
          <FieldRow>
            <TextField label={t("name")} maxLength={50} error={errorOf("name")} {...form.register("name")} />
            <NumberField label={t("valueField")} kind="money" error={errorOf("value")} {...form.register("value")} />
          </FieldRow>
          <Numbers>
            {limits.map((name) => (
              <NumberField key={name} label={t(name)} error={errorOf(name)} {...form.register(name)} />
            ))}
          </Numbers>
          <Flags>
            <legend>{t("flags")}</legend>
            {planFlags.map((name) => (
              <SwitchField key={name} label={t(name)} {...form.register(name)} />
            ))}
          </Flags>
          <SwitchField label={t("isPublic")} hint={t("isPublicHint")} {...form.register("isPublic")} />
        </>
      )}
    </FormDialog>
  );
}

/** A new plan has limits of 0 and every feature on (specification 2 section 9). */
function valuesOf(plan: OfferedPlan | undefined): PlanBody {
  const flags = Object.fromEntries(planFlags.map((flag) => [flag, plan?.[flag] ?? true]));
  return {
    name: plan?.name ?? "",
    users: plan?.users ?? 0,
    connections: plan?.connections ?? 0,
    queues: plan?.queues ?? 0,
    value: plan?.value ?? 0,
    ...(flags as Pick<PlanBody, (typeof planFlags)[number]>),
    isPublic: plan?.isPublic ?? true,
  };
}

const Note = styled("p")({
  padding: "10px 14px",
  borderRadius: 8,
  border: `1px solid ${color.noteLine}`,
  backgroundColor: color.note,
});
const Numbers = styled("div")({ display: "grid", gridTemplateColumns: "repeat(3, minmax(0, 1fr))", gap: 16 });
const Flags = styled("fieldset")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fill, minmax(min(180px, 100%), 1fr))",
  gap: "12px 16px",
  margin: 0,
  padding: 0,
  border: 0,
  "& legend": { padding: "0 0 8px", fontSize: 13, fontWeight: 500 },
});
