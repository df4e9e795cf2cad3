import { planFlags } from "@prosa/contract/plan-flags";
import type { OfferedPlan } from "@prosa/contract/plans";
import { Gauge } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages, type Translate } from "#web/lib/text/i18n.ts";
import { Chip } from "#web/ui/Chip.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { styled } from "#web/ui/styled.ts";
import { PlanDialog } from "./PlanDialog.tsx";
import { plansResource } from "./plans.api.ts";
import { planMessages } from "./plans.i18n.ts";

/** Settings → Plans, the operator's: limits, features and prices of the plans (Y-02). */
export function PlansTab() {
  return (
    <RecordList
      isPart
      resource={plansResource}
      texts={planMessages}
      icon={<Gauge />}
      columns={useColumns()}
      nameOf={({ name }) => name}
      deleteCount={({ companies }) => companies}
      form={(plan, onClose) => <PlanDialog plan={plan} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<OfferedPlan>[] {
  const t = useMessages(planMessages);
  const format = useFormat();
  const count = (key: "users" | "connections" | "queues" | "companies"): Column<OfferedPlan> => ({
    key,
    title: t(key),
    width: "72px",
    align: "right",
    cell: (plan) => format.number(plan[key]),
  });
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(200px, 1fr)",
      cell: ({ name, isPublic }) => (
        <Name>
          <span title={name}>{name}</span>
          {!isPublic && <Chip>{t("notOffered")}</Chip>}
        </Name>
      ),
    },
    { key: "value", title: t("value"), width: "96px", align: "right", cell: ({ value }) => format.money(value) },
    count("users"),
    count("connections"),
    count("queues"),
    { key: "flags", title: t("flags"), width: "minmax(0, 2fr)", cell: (plan) => flagsText(plan, t) },
    count("companies"),
  ];
}

function flagsText(plan: OfferedPlan, t: Translate<(typeof planMessages)["pt"]>): string {
  const on = planFlags.filter((flag) => plan[flag]);
  if (on.length === planFlags.length) {
    return t("flagsAll");
  }
  return on.length === 0 ? t("flagsNone") : on.map((flag) => t(flag)).join(", ");
}

const Name = styled("span")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  minWidth: 0,
  "& > span:first-of-type": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" },
  "& > span:not(:first-of-type)": { flex: "none" },
});
