import type { BotWords } from "./bot.script.ts";

export type BotLanguage = "pt" | "en" | "es";

/** What the server says by itself, where nobody wrote a text of their own. */
export interface AutomaticWords extends BotWords {
  /** Asked after a resolve where ratings are on. */
  readonly rateUs: string;
  /** Said at the end where neither queue nor connection has a text. */
  readonly closed: string;
}

const words: Readonly<Record<BotLanguage, AutomaticWords>> = {
  pt: {
    back: "Voltar",
    mainMenu: "Menu inicial",
    waitForPerson: "Certo! Aguarde um momento, um atendente vai falar com você.",
    rateUs:
      "Como foi o seu atendimento? Responda com um número:\n\n*1* - Insatisfeito\n*2* - Satisfeito\n*3* - Muito satisfeito",
    closed: "Atendimento encerrado. Obrigado pelo contato!",
  },
  en: {
    back: "Back",
    mainMenu: "Main menu",
    waitForPerson: "All right! Please wait a moment, somebody will be with you.",
    rateUs: "How was our service? Answer with a number:\n\n*1* - Unsatisfied\n*2* - Satisfied\n*3* - Very satisfied",
    closed: "This conversation has ended. Thank you for getting in touch!",
  },
  es: {
    back: "Volver",
    mainMenu: "Menú inicial",
    waitForPerson: "¡Listo! Espere un momento, una persona lo va a atender.",
    rateUs:
      "¿Cómo fue la atención? Responda con un número:\n\n*1* - Insatisfecho\n*2* - Satisfecho\n*3* - Muy satisfecho",
    closed: "Atención finalizada. ¡Gracias por escribirnos!",
  },
};

/** The automatic texts in the language of a connection. */
export function wordsIn(language: BotLanguage): AutomaticWords {
  return words[language];
}
