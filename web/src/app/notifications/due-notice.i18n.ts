import { defineMessages } from "#web/lib/text/i18n.ts";

/** The banner of admins before and after the end of what is paid; the first is the specification's (section 5 of its part 1). */
export const dueMessages = defineMessages({
  pt: {
    endsIn: "Sua assinatura vence em {count} dia(s)",
    ended: "Sua assinatura venceu em {date}. Pague a fatura para continuar usando o sistema.",
    toInvoices: "Ver faturas",
  },
  en: {
    endsIn: {
      one: "Your subscription expires in {count} day",
      other: "Your subscription expires in {count} days",
    },
    ended: "Your subscription expired on {date}. Pay the invoice to go on using the system.",
    toInvoices: "See invoices",
  },
  es: {
    endsIn: { one: "Su suscripción vence en {count} día", other: "Su suscripción vence en {count} días" },
    ended: "Su suscripción venció el {date}. Pague la factura para seguir usando el sistema.",
    toInvoices: "Ver facturas",
  },
});
