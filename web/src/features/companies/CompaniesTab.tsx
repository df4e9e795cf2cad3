import type { CompanyRecord } from "@prosa/contract/companies";
import { Building2, Plus } from "lucide-react";
import { useState } from "react";
import { useFormat } from "#web/lib/format.ts";
import { useSearch } from "#web/lib/hooks.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { recordMessages } from "#web/lib/records.i18n.ts";
import { useUser } from "#web/lib/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { RecordActions } from "#web/ui/RecordActions.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { companiesResource } from "./companies.api.ts";
import { companyMessages } from "./companies.i18n.ts";
import { CompanyDialog } from "./CompanyDialog.tsx";
import { daysBetween, dueTone } from "./due-date.ts";
import { useToday } from "./useToday.ts";

/** Settings → Companies, the operator's: who uses the installation, on which plan, and until when (Y-01). */
export function CompaniesTab() {
  const t = useMessages(companyMessages);
  const record = useMessages(recordMessages);
  const remove = companiesResource.useRemove();
  const today = useToday();
  const ownId = useUser().companyId;
  const search = useSearch();
  const list = companiesResource.useList({ searchParam: search.asked });
  const [form, setForm] = useState<{ readonly company: CompanyRecord | undefined }>();
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setForm({ company: undefined })}>
      {t("add")}
    </Button>
  );
  return (
    <>
      <ListScreen
        isPart
        title={t("title")}
        {...list}
        errorTitle={record("loadFailed")}
        columns={useColumns(today)}
        search={{ ...search, placeholder: t("search") }}
        rowTone={({ dueDate }) => (dueDate === null ? undefined : dueTone(daysBetween(today, dueDate)))}
        onOpen={(company) => setForm({ company })}
        openLabel={({ name }) => t("edit", { name })}
        rowActions={(company) => (
          <RecordActions
            id={company.id}
            editLabel={t("edit", { name: company.name })}
            onEdit={() => setForm({ company })}
            deleteText={t("deleteText", { name: company.name })}
            remove={remove}
            // the operator's own company stays: nobody else could administer the others
            isKept={company.id === ownId}
          />
        )}
        action={add}
        empty={<EmptyState icon={<Building2 />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {form && <CompanyDialog company={form.company} onClose={() => setForm(undefined)} />}
    </>
  );
}

function useColumns(today: string): Column<CompanyRecord>[] {
  const t = useMessages(companyMessages);
  const format = useFormat();
  return [
    { key: "name", title: t("name"), width: "minmax(140px, 1.4fr)", cell: ({ name }) => name },
    { key: "email", title: t("email"), width: "minmax(120px, 1.4fr)", cell: ({ email }) => email },
    { key: "phone", title: t("phone"), width: "minmax(90px, 1fr)", cell: ({ phone }) => phone },
    { key: "plan", title: t("plan"), width: "minmax(80px, 1fr)", cell: ({ plan }) => plan?.name ?? t("noPlan") },
    {
      key: "campaigns",
      title: t("campaigns"),
      width: "108px",
      isWideOnly: true,
      cell: ({ campaignsEnabled }) => t(campaignsEnabled ? "campaignsOn" : "campaignsOff"),
    },
    {
      key: "status",
      title: t("status"),
      width: "76px",
      cell: ({ status }) => (status ? t("active") : <Chip>{t("inactive")}</Chip>),
    },
    {
      key: "createdAt",
      title: t("createdAt"),
      width: "84px",
      isWideOnly: true,
      cell: ({ createdAt }) => format.date(createdAt),
    },
    {
      key: "dueDate",
      title: t("dueDate"),
      width: "minmax(120px, 1fr)",
      cell: ({ dueDate, recurrence }) => <Due {...{ today, dueDate }} recurrence={t(recurrence)} />,
    },
  ];
}

/** The day, and in words what the row's colour says. */
function Due(props: { readonly today: string; readonly dueDate: string | null; readonly recurrence: string }) {
  const { today, dueDate, recurrence } = props;
  const t = useMessages(companyMessages);
  const format = useFormat();
  if (dueDate === null) {
    return <Soft>{t("never")}</Soft>;
  }
  const days = daysBetween(today, dueDate);
  const words = days < 0 ? t("dueAgo", { count: -days }) : t("dueIn", { count: days });
  return (
    <Lines title={`${recurrence}, ${words}`}>
      <span>{format.date(dueDate)}</span>
      <Soft>{words}</Soft>
    </Lines>
  );
}

const Lines = styled("span")({
  display: "inline-flex",
  flexDirection: "column",
  lineHeight: 1.3,
  padding: "4px 0",
  verticalAlign: "middle",
});
const Soft = styled("span")({ fontSize: 12, color: color.ink2 });
