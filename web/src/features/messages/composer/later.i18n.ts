import { defineMessages } from "#web/lib/text/i18n.ts";

export const laterMessages = defineMessages({
  pt: { later: "Enviar mais tarde" },
  en: { later: "Send later" },
  es: { later: "Enviar más tarde" },
});
