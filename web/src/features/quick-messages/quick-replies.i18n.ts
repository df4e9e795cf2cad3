import { defineMessages } from "#web/lib/text/i18n.ts";

/** Texts of quick replies in the composer; those of the quick-message screen are loaded with it. */
export const quickReplyMessages = defineMessages({
  pt: {
    suggestions: "Respostas rápidas",
    withFile: "com anexo",
    fileFailed: "O anexo não pôde ser carregado. O texto foi inserido.",
    notLoaded: "As respostas rápidas ainda não carregaram. Para enviar o texto como está: Esc e depois Enter.",
    notLoadedTouch:
      "As respostas rápidas ainda não carregaram. Para enviar o texto como está, toque em Enviar de novo.",
    closeSuggestions: "Fechar as respostas rápidas",
  },
  en: {
    suggestions: "Quick replies",
    withFile: "with attachment",
    fileFailed: "The attachment could not be loaded. The text was inserted.",
    notLoaded: "The quick replies have not loaded yet. To send the text as it is: Esc, then Enter.",
    notLoadedTouch: "The quick replies have not loaded yet. To send the text as it is, tap Send again.",
    closeSuggestions: "Close quick replies",
  },
  es: {
    suggestions: "Respuestas rápidas",
    withFile: "con adjunto",
    fileFailed: "No se pudo cargar el adjunto. El texto fue insertado.",
    notLoaded: "Las respuestas rápidas aún no se han cargado. Para enviar el texto tal cual: Esc y luego Enter.",
    notLoadedTouch:
      "Las respuestas rápidas aún no se han cargado. Para enviar el texto tal cual, toque Enviar otra vez.",
    closeSuggestions: "Cerrar las respuestas rápidas",
  },
});
