import { defineMessages } from "#web/lib/text/i18n.ts";

/** The banner of a page that gets no events, or lacks a part, until it is loaded again. */
export const reloadMessages = defineMessages({
  pt: {
    text: "Uma parte do Prosa não pôde ser carregada: talvez haja uma versão nova. Até recarregar, esta página não mostra o que chega.",
    partGone:
      "Uma parte do Prosa não pôde ser carregada: talvez haja uma versão nova. Recarregue a página para ver tudo.",
    reload: "Recarregar",
  },
  en: {
    text: "A part of Prosa could not be loaded: there may be a new version. Until you reload, this page does not show what comes in.",
    partGone: "A part of Prosa could not be loaded: there may be a new version. Reload the page to see everything.",
    reload: "Reload",
  },
  es: {
    text: "No se pudo cargar una parte de Prosa: puede haber una versión nueva. Hasta recargar, esta página no muestra lo que llega.",
    partGone: "No se pudo cargar una parte de Prosa: puede haber una versión nueva. Recargue la página para ver todo.",
    reload: "Recargar",
  },
});
