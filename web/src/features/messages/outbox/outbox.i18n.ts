import { defineMessages } from "#web/lib/text/i18n.ts";

/** Texts of a message that was not sent because of its file. */
export const outboxMessages = defineMessages({
  pt: {
    unreadable: "O arquivo não pode mais ser lido. Escolha-o de novo.",
    withoutFile: "Enviar só o texto",
  },
  en: {
    unreadable: "The file cannot be read any more. Choose it again.",
    withoutFile: "Send only the text",
  },
  es: {
    unreadable: "El archivo ya no se puede leer. Elíjalo de nuevo.",
    withoutFile: "Enviar solo el texto",
  },
});
