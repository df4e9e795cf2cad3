import { invoices, type BilledCompany, type Invoice } from "@prosa/contract/invoices";
import { useQueryClient } from "@tanstack/react-query";
import { ReceiptText } from "lucide-react";
import { useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { call } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { TextArea } from "#web/ui/fields/Field.tsx";
import { ListRows, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { useInvoiceColumns } from "./InvoiceList.tsx";
import { invoiceKeys, useInvoicesOf } from "./invoices.api.ts";
import { operatorMessages } from "./operator.i18n.ts";

/** The invoices of a company, one of which the operator may mark as paid, with a note, and take that back. */
export function CompanyInvoicesDialog(props: { readonly company: BilledCompany; readonly onClose: () => void }) {
  const { company, onClose } = props;
  const t = useMessages(operatorMessages);
  const format = useFormat();
  const list = useInvoicesOf(company.id);
  const columns = useInvoiceColumns();
  const [marked, setMarked] = useState<Invoice>();
  const action: Column<Invoice> = {
    key: "action",
    title: "",
    width: "max-content",
    align: "right",
    cell: (invoice) => (
      <Actions>
        {invoice.status === "open" && (
          <Button
            aria-label={t("markPaidOf", { date: format.date(invoice.dueDate) })}
            onClick={() => setMarked(invoice)}
          >
            {t("markPaid")}
          </Button>
        )}
        {invoice.markId !== null && <TakeBackButton {...invoice} markId={invoice.markId} />}
      </Actions>
    ),
  };
  return (
    <>
      <InfoDialog title={t("open", { name: company.name })} width="md" onClose={onClose}>
        <ListRows
          {...list}
          columns={[...columns, action]}
          empty={<EmptyState icon={<ReceiptText />} title={t("noInvoices")} text="" />}
        />
      </InfoDialog>
      {marked && <MarkDialog invoice={marked} onClose={() => setMarked(undefined)} />}
    </>
  );
}

/** Takes the mark back, after a question: it was set on the wrong row, or the money never came. */
function TakeBackButton({ id, dueDate, markId }: Pick<Invoice, "id" | "dueDate"> & { readonly markId: number }) {
  const t = useMessages(operatorMessages);
  const format = useFormat();
  const queryClient = useQueryClient();
  const label = t("takeBackOf", { date: format.date(dueDate) });
  const takeBack = async () => {
    if (!(await confirm({ title: label, text: t("takeBackText"), verb: t("takeBack"), isDangerous: true }))) {
      return;
    }
    try {
      await call(invoices.takeBack, { params: { id }, query: { markId } });
      toast.success(t("takenBack"));
    } catch (error) {
      toast.failure(error);
    }
    // After a refusal too: another operator was first.
    void queryClient.invalidateQueries(invoiceKeys);
  };
  return (
    <Button aria-label={label} onClick={() => void takeBack()}>
      {t("takeBack")}
    </Button>
  );
}

function MarkDialog({ invoice, onClose }: { readonly invoice: Invoice; readonly onClose: () => void }) {
  const t = useMessages(operatorMessages);
  const format = useFormat();
  const queryClient = useQueryClient();
  // In cents: the company's debt after a returned payment, or its credit.
  const rest = Math.round((invoice.due - invoice.value) * 100) / 100;
  return (
    <FormDialog<{ note: string }>
      title={`${t("markPaid")} · ${format.money(invoice.due)}`}
      values={{ note: "" }}
      schema={() => import("#schemas/invoices").then((module) => module.invoices.markPaid.body!)}
      verb={t("markPaid")}
      onClose={onClose}
      onSave={async (body) => {
        await call(invoices.markPaid, { params: { id: invoice.id }, body });
        void queryClient.invalidateQueries(invoiceKeys);
        toast.success(t("marked"));
      }}
    >
      {(form, errorOf) => (
        <>
          {rest !== 0 && (
            <p>
              {t(rest > 0 ? "withDebt" : "withCredit", {
                invoice: format.money(invoice.value),
                value: format.money(Math.abs(rest)),
              })}
            </p>
          )}
          <TextArea
            label={t("note")}
            hint={t("noteHint")}
            rows={3}
            error={errorOf("note")}
            {...form.register("note")}
          />
        </>
      )}
    </FormDialog>
  );
}

const Actions = styled("span")({ display: "inline-flex", gap: 8 });
