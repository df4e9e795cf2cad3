import { defineMessages } from "./i18n.ts";

/** Why nobody but its admin may use an overdue company (A-03; specification 1, section 5). */
export const subscriptionMessages = defineMessages({
  pt: { expired: "Opss! Sua assinatura venceu {date}. Entre em contato com o Suporte para mais informações!" },
  en: { expired: "Oops! Your subscription expired on {date}. Please contact support for more information!" },
  es: { expired: "¡Ups! Su suscripción venció el {date}. ¡Contacte al soporte para más información!" },
});
