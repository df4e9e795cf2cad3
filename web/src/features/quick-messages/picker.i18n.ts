import { defineMessages } from "#web/lib/text/i18n.ts";

/** Texts of the quick-reply picker; loaded with it. */
export const pickerMessages = defineMessages({
  pt: {
    list: "Respostas rápidas",
    search: "Buscar resposta rápida",
    withFile: "com anexo",
    none: "Nenhuma resposta rápida ainda",
    notFound: "Nada encontrado",
    create: "Criar a primeira",
  },
  en: {
    list: "Quick replies",
    search: "Search quick replies",
    withFile: "with attachment",
    none: "No quick replies yet",
    notFound: "Nothing found",
    create: "Create the first one",
  },
  es: {
    list: "Respuestas rápidas",
    search: "Buscar respuesta rápida",
    withFile: "con adjunto",
    none: "Ninguna respuesta rápida todavía",
    notFound: "No se encontró nada",
    create: "Crear la primera",
  },
});
