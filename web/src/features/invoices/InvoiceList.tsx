import { invoiceIssuedDaysBefore, type Invoice } from "@prosa/contract/invoices";
import { Printer, ReceiptText } from "lucide-react";
import { useState } from "react";
import { daysUntil, useFormat } from "#web/lib/text/format.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { CheckoutDialog } from "./CheckoutDialog.tsx";
import { shownStatus } from "./invoice-status.ts";
import { useInvoices } from "./invoices.api.ts";
import { invoiceMessages } from "./invoices.i18n.ts";
import { ReceiptDialog } from "./ReceiptDialog.tsx";

/** /financeiro: the company's invoices, to pay and to print (F-01). */
export function InvoiceList() {
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const list = useInvoices();
  const columns = useInvoiceColumns();
  const [toPay, setToPay] = useState<Invoice>();
  const [isOrdering, setOrdering] = useState(false);
  const [receiptId, setReceiptId] = useState<number>();
  const {
    company: { timeZone, dueDate, plan },
    support,
  } = useUser();
  // The support sees what is owed, and orders nothing in the company's name (decision 0225).
  const mayOrder = support === undefined;
  // The job that issues comes round every ten minutes; an order does not wait for it.
  const isSoon = dueDate !== null && daysUntil(dueDate, timeZone, serverNow()) <= invoiceIssuedDaysBefore;
  // A plan without a price has no invoices, and there is nothing to order.
  const isFree = (plan?.value ?? 0) === 0;
  const actions: Column<Invoice> = {
    key: "action",
    title: "",
    width: "104px",
    align: "right",
    cell: (invoice) =>
      invoice.status === "open"
        ? mayOrder && (
            <Button
              kind="primary"
              aria-label={t("payInvoice", { date: format.date(invoice.dueDate) })}
              onClick={() => setToPay(invoice)}
            >
              {t("pay")}
            </Button>
          )
        : invoice.status === "paid" && (
            <IconButton label={t("receipt")} onClick={() => setReceiptId(invoice.id)}>
              <Printer />
            </IconButton>
          ),
  };
  // Where one is open its row has the button.
  const isNothingOpen = !list.isLoading && list.rows.every(({ status }) => status !== "open");
  const subscribe = mayOrder && (
    <Button kind="primary" onClick={() => setOrdering(true)}>
      {t("subscribe")}
    </Button>
  );
  return (
    <>
      <ListScreen
        title={t("title")}
        {...list}
        columns={[...columns, actions]}
        moreActions={<Button onClick={() => navigate("/subscription")}>{t("toSubscription")}</Button>}
        action={isNothingOpen && !isFree && subscribe}
        rowTone={(invoice) => (shownStatus(invoice, timeZone, serverNow()) === "overdue" ? "red" : undefined)}
        empty={
          <EmptyState
            icon={<ReceiptText />}
            title={t("empty")}
            text={t(isFree ? "emptyFree" : isSoon ? "emptyDue" : "emptyText")}
            action={isFree ? undefined : subscribe}
          />
        }
      />
      {toPay && <CheckoutDialog invoice={toPay} onClose={() => setToPay(undefined)} />}
      {isOrdering && <CheckoutDialog invoice={null} onClose={() => setOrdering(false)} />}
      {receiptId !== undefined && <ReceiptDialog id={receiptId} onClose={() => setReceiptId(undefined)} />}
    </>
  );
}

/** Also of the operator's list of a company's invoices. */
export function useInvoiceColumns(): Column<Invoice>[] {
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const { timeZone } = useUser().company;
  return [
    {
      key: "detail",
      title: t("detail"),
      width: "minmax(120px, 2fr)",
      cell: ({ detail, months }) => (months === 1 ? detail : `${detail} · ${t("months", { count: months })}`),
    },
    { key: "value", title: t("value"), width: "110px", align: "right", cell: ({ value }) => format.money(value) },
    { key: "dueDate", title: t("dueDate"), width: "100px", cell: ({ dueDate }) => format.date(dueDate) },
    {
      key: "status",
      title: t("status"),
      width: "minmax(84px, 1fr)",
      cell: (invoice) => {
        const status = t(shownStatus(invoice, timeZone, serverNow()));
        return invoice.returned > 0 ? t("withReturn", { status, value: format.money(invoice.returned) }) : status;
      },
    },
  ];
}
