import { defineMessages } from "#web/lib/text/i18n.ts";

/** Texts of quick replies and variables in the composer; those of the quick-message screen are loaded with it. */
export const quickReplyMessages = defineMessages({
  pt: {
    suggestions: "Respostas rápidas",
    withFile: "com anexo",
    fileFailed: "O anexo não pôde ser carregado. O texto foi inserido.",
    variables: "Variáveis",
    firstName: "Primeiro nome",
    name: "Nome",
    greeting: "Saudação",
    protocol: "Protocolo",
    date: "Data",
    hour: "Hora",
  },
  en: {
    suggestions: "Quick replies",
    withFile: "with attachment",
    fileFailed: "The attachment could not be loaded. The text was inserted.",
    variables: "Variables",
    firstName: "First name",
    name: "Name",
    greeting: "Greeting",
    protocol: "Protocol",
    date: "Date",
    hour: "Time",
  },
  es: {
    suggestions: "Respuestas rápidas",
    withFile: "con adjunto",
    fileFailed: "No se pudo cargar el adjunto. El texto fue insertado.",
    variables: "Variables",
    firstName: "Nombre de pila",
    name: "Nombre",
    greeting: "Saludo",
    protocol: "Protocolo",
    date: "Fecha",
    hour: "Hora",
  },
});
