import { defineMessages, localeOf, translator } from "@prosa/contract/i18n";
import type { Mail } from "#server/platform/mail/index.ts";
import { reais } from "../reais.ts";
import type { WarnedInvoice } from "./issue.queries.ts";

const messages = defineMessages({
  pt: {
    subject: "Sua assinatura vence em {count} dia(s)",
    today: "Sua assinatura vence hoje",
    text: "Olá, {company}.\n\nHá {value} a pagar até {date}. Para continuar atendendo sem interrupção, pague por Pix em Financeiro:\n\n{url}\n\nSe já pagou, não é preciso fazer nada.",
  },
  en: {
    subject: {
      one: "Your subscription expires in {count} day",
      other: "Your subscription expires in {count} days",
    },
    today: "Your subscription expires today",
    text: "Hello {company},\n\n{value} is due by {date}. To go on without interruption, pay by Pix under Billing:\n\n{url}\n\nIf you have paid already, there is nothing to do.",
  },
  es: {
    subject: { one: "Su suscripción vence en {count} día", other: "Su suscripción vence en {count} días" },
    today: "Su suscripción vence hoy",
    text: "Hola, {company}:\n\nHay {value} por pagar hasta el {date}. Para seguir atendiendo sin interrupción, pague por Pix en Finanzas:\n\n{url}\n\nSi ya pagó, no tiene que hacer nada.",
  },
});

/** The warning before the end of what is paid, in the company's language. */
export function warningMail(invoice: WarnedInvoice, to: string, publicUrl: string): Mail {
  const { language, days, company } = invoice;
  const t = translator(messages, language);
  const value = reais(invoice.due);
  const date = new Intl.DateTimeFormat(localeOf[language], { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(`${invoice.lastDay}T00:00:00Z`),
  );
  const subject = days === 0 ? t("today") : t("subject", { count: days });
  return { to, subject, text: t("text", { company, value, date, url: `${publicUrl}/financeiro` }) };
}
