import type { BotTexts } from "./bot.script.ts";

export type BotLanguage = "pt" | "en" | "es";

/** Texts that are sent automatically where the company wrote none of its own. */
export interface DefaultTexts extends BotTexts {
  /** Sent after a resolve if ratings are enabled. */
  readonly rateUs: string;
  /** Sent after a rating if neither queue nor connection has a farewell. */
  readonly closed: string;
  /** Sent when a user accepts the ticket (T-13). */
  readonly accepted: (agent: string) => string;
  /** Sent after a transfer to a user or a queue; null if the ticket went to neither (T-14). */
  readonly transferred: (to: string | null) => string;
  /** Sent after a rejected call (W-09). */
  readonly noCalls: string;
  /** The name of the chat with the own number, in which the owner writes notes. */
  readonly notes: string;
}

const texts: Readonly<Record<BotLanguage, DefaultTexts>> = {
  pt: {
    back: "Voltar",
    mainMenu: "Menu inicial",
    waitForPerson: "Certo! Aguarde um momento, um atendente vai falar com você.",
    rateUs:
      "Como foi o seu atendimento? Responda com um número:\n\n*1* - Insatisfeito\n*2* - Satisfeito\n*3* - Muito satisfeito",
    closed: "Atendimento encerrado. Obrigado pelo contato!",
    accepted: (agent) => `{{greeting}}! Meu nome é *${agent}* e vou continuar o seu atendimento.`,
    transferred: (to) =>
      to === null
        ? "Seu atendimento foi transferido. Aguarde um momento, por favor."
        : `Seu atendimento foi transferido para *${to}*. Aguarde um momento, por favor.`,
    noCalls: "Não atendemos ligações por este número. Por favor, escreva a sua mensagem.",
    notes: "Notas (você)",
  },
  en: {
    back: "Back",
    mainMenu: "Main menu",
    waitForPerson: "All right! Please wait a moment, somebody will be with you.",
    rateUs: "How was our service? Answer with a number:\n\n*1* - Unsatisfied\n*2* - Satisfied\n*3* - Very satisfied",
    closed: "This conversation has ended. Thank you for getting in touch!",
    accepted: (agent) => `{{greeting}}! My name is *${agent}*, and I will take it from here.`,
    transferred: (to) =>
      to === null
        ? "Your conversation has been transferred. Please wait a moment."
        : `Your conversation has been transferred to *${to}*. Please wait a moment.`,
    noCalls: "We do not take calls on this number. Please write us a message.",
    notes: "Notes (you)",
  },
  es: {
    back: "Volver",
    mainMenu: "Menú inicial",
    waitForPerson: "¡Listo! Espere un momento, una persona lo va a atender.",
    rateUs:
      "¿Cómo fue la atención? Responda con un número:\n\n*1* - Insatisfecho\n*2* - Satisfecho\n*3* - Muy satisfecho",
    closed: "Atención finalizada. ¡Gracias por escribirnos!",
    accepted: (agent) => `¡{{greeting}}! Mi nombre es *${agent}* y voy a continuar su atención.`,
    transferred: (to) =>
      to === null
        ? "Su atención fue transferida. Espere un momento, por favor."
        : `Su atención fue transferida a *${to}*. Espere un momento, por favor.`,
    noCalls: "No atendemos llamadas en este número. Por favor, escriba su mensaje.",
    notes: "Notas (tú)",
  },
};

/** The default texts in the language of a connection. */
export function defaultTextsIn(language: BotLanguage): DefaultTexts {
  return texts[language];
}
