import { companies } from "@prosa/contract/companies";
import type { Invoice } from "@prosa/contract/invoices";
import { useQuery } from "@tanstack/react-query";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { call, useUser } from "#web/lib/session/session.ts";
import { Facts } from "./Facts.tsx";
import { nextOrderOptions } from "./invoices.api.ts";
import { invoiceMessages } from "./invoices.i18n.ts";

/** What is paid for: the plan with its limits and price, and what the invoice comes to; without one, what the order will. */
export function OrderSummary(props: {
  readonly invoice: Invoice | null;
  readonly address: { readonly firstName: string; readonly address2: string; readonly city: string } | undefined;
}) {
  const { address } = props;
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const { companyId } = useUser();
  const { data } = useQuery({
    queryKey: ["companies", "plan", companyId],
    queryFn: ({ signal }) => call(companies.listPlan, { params: { companyId }, signal }),
  });
  const { data: next } = useQuery({ ...nextOrderOptions, enabled: props.invoice === null });
  const invoice = props.invoice ?? next?.order;
  const plan = data?.plan ?? undefined;
  // In cents: what the company owes after a returned payment, or has paid before.
  const rest = invoice ? Math.round((invoice.due - invoice.value) * 100) / 100 : 0;
  if (props.invoice === null && next?.order === null) {
    return <p role="status">{t("nothingDue")}</p>;
  }
  return (
    <Facts
      rows={[
        [t("plan"), invoice?.detail ?? plan?.name],
        [t("users"), plan && format.number(plan.users)],
        [t("connections"), plan && format.number(plan.connections)],
        [t("queues"), plan && format.number(plan.queues)],
        [t("value"), plan && t("perMonth", { value: format.money(plan.value) })],
        [t("period"), invoice ? t("months", { count: invoice.months }) : undefined],
        [t("dueDate"), invoice ? format.date(invoice.dueDate) : undefined],
        ...(rest > 0 ? [[t("debt"), format.money(rest)] as const] : []),
        ...(rest < 0 ? [[t("credit"), format.money(rest)] as const] : []),
        [t("total"), invoice ? format.money(invoice.due) : undefined],
        [t("firstName"), address?.firstName],
        [t("address2"), address ? [address.address2, address.city].filter(Boolean).join(", ") : undefined],
      ]}
    />
  );
}
