import { defineMessages, translator } from "@prosa/contract/i18n";
import type { Mail } from "#server/platform/mail/index.ts";
import { reais } from "../reais.ts";
import type { ReturnReader } from "./returns.queries.ts";

const messages = defineMessages({
  pt: {
    subject: "Um pagamento de {company} foi devolvido",
    refund: "O Pix de {company} foi devolvido: {value}.",
    chargeback: "O pagamento de {company} foi contestado e estornado: {value}.",
    reopened: {
      one: "Uma fatura está em aberto de novo: {url}",
      other: "{count} faturas estão em aberto de novo: {url}",
    },
    credit: "O valor foi descontado do crédito da empresa; nenhuma fatura mudou.",
  },
  en: {
    subject: "A payment by {company} was returned",
    refund: "The Pix of {company} was returned: {value}.",
    chargeback: "The payment by {company} was disputed and charged back: {value}.",
    reopened: { one: "One invoice is open again: {url}", other: "{count} invoices are open again: {url}" },
    credit: "The amount was taken from the company's credit; no invoice has changed.",
  },
  es: {
    subject: "Un pago de {company} fue devuelto",
    refund: "El Pix de {company} fue devuelto: {value}.",
    chargeback: "El pago de {company} fue impugnado y revertido: {value}.",
    reopened: {
      one: "Una factura está abierta de nuevo: {url}",
      other: "{count} facturas están abiertas de nuevo: {url}",
    },
    credit: "El monto se descontó del crédito de la empresa; ninguna factura cambió.",
  },
});

/** To the operator and to the company: money went back. */
export function returnMail(
  { email, language }: ReturnReader,
  returned: {
    readonly company: string;
    readonly value: number;
    readonly kind: "refund" | "chargeback";
    /** Invoices that are open again. */
    readonly reopened: number;
    /** The page where the reader finds the invoices of the company. */
    readonly invoicesUrl: string;
  },
): Mail {
  const t = translator(messages, language);
  const { company, kind, invoicesUrl: url, reopened } = returned;
  const value = reais(returned.value);
  const rest = reopened > 0 ? t("reopened", { count: reopened, url }) : t("credit");
  return { to: email, subject: t("subject", { company }), text: `${t(kind, { company, value })}\n\n${rest}` };
}
