import { companies } from "@prosa/contract/companies";
import type { BilledCompany } from "@prosa/contract/invoices";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Power, Settings2, WalletCards } from "lucide-react";
import { useState } from "react";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { call, useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { BillingSettingsDialog } from "./BillingSettingsDialog.tsx";
import { CompanyInvoicesDialog } from "./CompanyInvoicesDialog.tsx";
import { invoiceKeys, summaryOptions, useBilledCompanies } from "./invoices.api.ts";
import { operatorMessages } from "./operator.i18n.ts";

/** Settings → Billing, the operator's: revenue and what is overdue at a glance, and each company with what it uses and owes. */
export function BillingTab() {
  const t = useMessages(operatorMessages);
  const search = useSearch();
  const list = useBilledCompanies(search.asked);
  const columns = useColumns();
  const ownId = useUser().companyId;
  const [opened, setOpened] = useState<BilledCompany>();
  const [isSetting, setSetting] = useState(false);
  return (
    <Page>
      <Summary />
      <ListScreen
        title={t("title")}
        isPart
        {...list}
        columns={columns}
        rowTone={({ overdue }) => (overdue > 0 ? "red" : undefined)}
        search={{ ...search, placeholder: t("search") }}
        onOpen={setOpened}
        openLabel={({ name }) => t("open", { name })}
        rowActions={(company) => company.id !== ownId && <PowerButton company={company} />}
        moreActions={
          <Button icon={<Settings2 size={16} />} onClick={() => setSetting(true)}>
            {t("settings")}
          </Button>
        }
        empty={<EmptyState icon={<WalletCards />} title={t("empty")} text={t("emptyText")} />}
      />
      {opened && <CompanyInvoicesDialog company={opened} onClose={() => setOpened(undefined)} />}
      {isSetting && <BillingSettingsDialog onClose={() => setSetting(false)} />}
    </Page>
  );
}

function useColumns(): Column<BilledCompany>[] {
  const t = useMessages(operatorMessages);
  const format = useFormat();
  return [
    { key: "name", title: t("name"), width: "minmax(120px, 1.6fr)", cell: ({ name }) => name },
    { key: "plan", title: t("plan"), width: "minmax(80px, 1fr)", cell: ({ plan }) => plan },
    {
      key: "usage",
      title: t("usage"),
      width: "minmax(150px, 1.4fr)",
      cell: ({ users, connections, queues }) => (
        <Lines>
          <span>{t("users", users)}</span>
          <span>{t("connections", connections)}</span>
          <span>{t("queues", queues)}</span>
        </Lines>
      ),
    },
    {
      key: "dueDate",
      title: t("dueDate"),
      width: "100px",
      cell: ({ dueDate, status }) => (status ? dueDate !== null && format.date(dueDate) : <Chip>{t("off")}</Chip>),
    },
    {
      key: "owed",
      title: t("owed"),
      width: "minmax(120px, 1fr)",
      align: "right",
      cell: ({ open, overdue, credit }) =>
        (open > 0 || credit !== 0) && (
          <Lines>
            {open > 0 && <span>{format.money(open)}</span>}
            {overdue > 0 && <strong>{t("late", { value: format.money(overdue) })}</strong>}
            {credit > 0 && <span>{t("credit", { value: format.money(credit) })}</span>}
            {credit < 0 && <strong>{t("debt", { value: format.money(-credit) })}</strong>}
          </Lines>
        ),
    },
  ];
}

function PowerButton({ company: { id, name, status } }: { readonly company: BilledCompany }) {
  const t = useMessages(operatorMessages);
  const queryClient = useQueryClient();
  const label = t(status ? "switchOff" : "switchOn", { name });
  const toggle = async () => {
    const isSure =
      !status ||
      (await confirm({ title: label, text: t("switchOffText"), verb: t("switchOffVerb"), isDangerous: true }));
    if (!isSure) {
      return;
    }
    try {
      await call(companies.update, { params: { id }, body: { status: !status } });
      await queryClient.invalidateQueries(invoiceKeys);
    } catch (error) {
      toast.failure(error);
    }
  };
  return (
    <IconButton label={label} onClick={() => void toggle()}>
      <Power />
    </IconButton>
  );
}

function Summary() {
  const t = useMessages(operatorMessages);
  const format = useFormat();
  const { data } = useQuery({ ...summaryOptions, refetchOnMount: "always" });
  if (!data) {
    return <Cards aria-hidden />;
  }
  const { receivedThisMonth, receivedLastMonth, open, overdue, companies: firms } = data;
  return (
    <Cards>
      <div>
        <dt>{t("receivedThisMonth")}</dt>
        <dd>{format.money(receivedThisMonth)}</dd>
      </div>
      <div>
        <dt>{t("receivedLastMonth")}</dt>
        <dd>{format.money(receivedLastMonth)}</dd>
      </div>
      <div>
        <dt>{t("openTotal", { count: open.count })}</dt>
        <dd>{format.money(open.value)}</dd>
      </div>
      <div data-late={overdue.count > 0 || undefined}>
        <dt>{t("overdueTotal", { count: overdue.count })}</dt>
        <dd>{format.money(overdue.value)}</dd>
      </div>
      <div>
        <dt>{t("companies", { disabled: format.number(firms.disabled) })}</dt>
        <dd>{format.number(firms.active)}</dd>
      </div>
    </Cards>
  );
}

const Page = styled("div")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  minHeight: 0,
  "& > section": { flex: 1, minHeight: 0 },
  [media.phone]: { overflowY: "auto", "& > section": { flex: "none", height: "auto" } },
});
const Cards = styled("dl")({
  flex: "none",
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(150px, 1fr))",
  gap: 12,
  margin: 0,
  padding: "16px 20px",
  minHeight: 76,
  "& > div": { padding: "10px 14px", borderRadius: 8, border: `1px solid ${color.line}`, backgroundColor: color.panel },
  "& dt": { fontSize: 12, color: color.ink2 },
  "& dd": {
    margin: "2px 0 0",
    overflowWrap: "anywhere",
    fontSize: 18,
    fontWeight: 600,
    fontVariantNumeric: "tabular-nums",
  },
  "& [data-late] dd": { color: color.danger },
  // two cards beside each other hold millions
  [media.phone]: { padding: 12, "& > div": { padding: "10px 12px" }, "& dd": { fontSize: 16 } },
});
const Lines = styled("span")({
  display: "inline-flex",
  flexDirection: "column",
  lineHeight: 1.35,
  padding: "4px 0",
  fontSize: 12,
  verticalAlign: "middle",
  "& strong": { fontWeight: 600 },
});
