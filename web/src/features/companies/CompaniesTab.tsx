import type { CompanyRecord } from "@prosa/contract/companies";
import { daysBetween } from "@prosa/contract/due-dates";
import { Building2 } from "lucide-react";
import { useSupport } from "#web/features/support/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Chip } from "#web/ui/Chip.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { companiesResource } from "./companies.api.ts";
import { companyMessages } from "./companies.i18n.ts";
import { CompanyDialog } from "./CompanyDialog.tsx";
import { dueTone } from "./due-date.ts";
import { useToday } from "./useToday.ts";

/** Settings → Companies, the operator's: the companies of the installation, their plans and due dates (Y-01). */
export function CompaniesTab() {
  const today = useToday();
  const ownId = useUser().companyId;
  const support = useSupport();
  return (
    <>
      <RecordList
        isPart
        resource={companiesResource}
        texts={companyMessages}
        icon={<Building2 />}
        columns={useColumns(today)}
        nameOf={({ name }) => name}
        rowTone={({ dueDate }) => (dueDate === null ? undefined : dueTone(daysBetween(today, dueDate)))}
        // without the operator's own company nobody could administer the others
        isKept={({ id }) => id === ownId}
        rowActions={support.button}
        form={(company, onClose) => <CompanyDialog company={company} onClose={onClose} />}
      />
      {support.dialog}
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
      cell: ({ dueDate, recurrence, isTrial }) => <Due {...{ today, dueDate, isTrial }} recurrence={t(recurrence)} />,
    },
  ];
}

/** The due date, and in words what the row's colour shows. */
function Due(props: {
  readonly today: string;
  readonly dueDate: string | null;
  readonly isTrial: boolean;
  readonly recurrence: string;
}) {
  const { today, dueDate, isTrial, recurrence } = props;
  const t = useMessages(companyMessages);
  const format = useFormat();
  if (dueDate === null) {
    return <Soft>{t("never")}</Soft>;
  }
  const days = daysBetween(today, dueDate);
  const due = days < 0 ? t("dueAgo", { count: -days }) : t("dueIn", { count: days });
  const text = isTrial ? `${t("trialField")}, ${due}` : due;
  return (
    <Lines title={`${recurrence}, ${text}`}>
      <span>{format.date(dueDate)}</span>
      <Soft>{text}</Soft>
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
