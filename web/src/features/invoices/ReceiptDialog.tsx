import { useQuery } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { Facts } from "./Facts.tsx";
import { FailedDialog } from "#web/ui/dialogs/FailedDialog.tsx";
import { invoiceOptions } from "./invoices.api.ts";
import { invoiceMessages } from "./invoices.i18n.ts";

/** The receipt of a paid invoice, alone on the page that is printed or saved as PDF. */
export function ReceiptDialog({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const title = t("receiptTitle", { id: String(id) });
  const { data: invoice, error, refetch } = useQuery(invoiceOptions(id));
  if (!invoice) {
    return error && <FailedDialog {...{ title, error, onClose }} onRetry={() => void refetch()} />;
  }
  const party = ({ name, taxId, address }: typeof invoice.payer) => [name, taxId, address].filter(Boolean).join(" · ");
  return (
    <InfoDialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind="primary" icon={<Printer size={16} />} onClick={() => print()}>
          {t("print")}
        </Button>
      }
    >
      <Paper>
        <h1>{title}</h1>
        <Facts
          rows={[
            [t("payee"), invoice.payee],
            [t("payer"), party(invoice.payer)],
            [t("detail"), invoice.detail],
            [t("period"), t("months", { count: invoice.months })],
            [t("dueDate"), format.date(invoice.dueDate)],
            [t("total"), format.money(invoice.value)],
            [t("paidOn"), invoice.paidAt === null ? undefined : format.dateTime(invoice.paidAt)],
            [t("paidUntil"), invoice.paidUntil === null ? undefined : format.date(invoice.paidUntil)],
            ...invoice.payments.map(({ reference }) => [t("reference"), reference] as const),
          ]}
        />
      </Paper>
    </InfoDialog>
  );
}

const Paper = styled("article")({
  "& h1": { display: "none", fontSize: 20 },
  "@media print": {
    position: "fixed",
    inset: 0,
    zIndex: 9999,
    padding: 40,
    backgroundColor: "#ffffff",
    color: "#000000",
    "& h1": { display: "block" },
    "& dt": { color: "#333333" },
  },
});
