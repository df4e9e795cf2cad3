import { stopWord, weekdaysEn } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import type { Opening } from "./opening-hours.ts";

export type BotLanguage = Language;

/** The bot's fixed texts, in the language of the connection. */
export interface BotTexts {
  readonly back: string;
  readonly mainMenu: string;
  /** The line of a menu that leads to a person, and the word that it is chosen by. */
  readonly stop: string;
  readonly stopWord: string;
  readonly waitForPerson: string;
  /** Above the menu that is repeated after a wrong answer. */
  readonly notUnderstood: string;
  /** Answer to media at a menu. */
  readonly sendNumber: string;
  /** Where no out-of-hours text is set; null: nobody knows when it opens. */
  readonly outOfHours: (opening: Opening | null) => string;
  /** The company is switched off or overdue. */
  readonly notServed: string;
  /**
   * Sent when timeToTransfer moved the ticket (Q-07). `hadMenu`: a menu was sent, and is dead now; `hasPerson`: an agent
   * may come, because it is neither closed nor overdue.
   */
  readonly moved: (now: { readonly hadMenu: boolean; readonly hasPerson: boolean }) => string;
}

/** Texts that are sent automatically where the company wrote none of its own. */
export interface DefaultTexts extends BotTexts {
  /** Sent after a resolve if ratings are enabled (Q-09). */
  readonly rateUs: string;
  /** Sent after a rating if neither queue nor connection has a farewell. */
  readonly closed: string;
  /** Sent when a user accepts the ticket (T-13). */
  readonly accepted: string;
  /**
   * Sent after a transfer to a user or a queue; null if the ticket went to neither (T-14). `closed`: said in place of the request
   * to wait where nobody is there to come (behaviour 5, rule 4); null: somebody is.
   */
  readonly transferred: (to: "agent" | "queue" | null, closed: string | null) => string;
  /** Sent after a rejected call (W-09). */
  readonly noCalls: string;
  /** The name of the chat with the own number, in which the owner writes notes. */
  readonly notes: string;
}

/** " Abrimos amanhã às 08:00.", or nothing where it is not known. */
const opens: Readonly<Record<BotLanguage, (opening: Opening | null) => string>> = {
  pt: (opening) => (opening ? ` Abrimos ${dayOf("pt", opening)} às ${opening.clock}.` : ""),
  en: (opening) => (opening ? ` We open ${dayOf("en", opening)} at ${opening.clock}.` : ""),
  es: (opening) => (opening ? ` Abrimos ${dayOf("es", opening)} a las ${opening.clock}.` : ""),
};

const days: Readonly<
  Record<BotLanguage, readonly [today: string, tomorrow: string, onWeekday: (name: string) => string]>
> = {
  pt: ["hoje", "amanhã", (name) => (name.endsWith("-feira") ? `na ${name}` : `no ${name}`)],
  en: ["today", "tomorrow", (name) => `on ${name}`],
  es: ["hoy", "mañana", (name) => `el ${name}`],
};

function dayOf(language: BotLanguage, { daysAhead, weekday }: Opening): string {
  const [today, tomorrow, onWeekday] = days[language];
  // 2026-11-16 is a Monday.
  const date = new Date(Date.UTC(2026, 10, 16 + weekdaysEn.indexOf(weekday)));
  const name = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(date);
  return [today, tomorrow][daysAhead] ?? onWeekday(name);
}

const texts: Readonly<Record<BotLanguage, DefaultTexts>> = {
  pt: {
    back: "Voltar",
    mainMenu: "Menu inicial",
    waitForPerson: "Certo! Aguarde um momento, um atendente vai falar com você.",
    stop: "Falar com um atendente",
    stopWord: stopWord.pt,
    notUnderstood: "Desculpe, não entendi. Responda com o número de uma das opções:",
    sendNumber: "Recebi e guardei para o atendente. Para continuar, envie o *número* de uma das opções do menu.",
    outOfHours: (opening) => `Estamos fechados agora.${opens.pt(opening)} Pode escrever: a sua mensagem fica guardada.`,
    notServed: "No momento não conseguimos responder por aqui. A sua mensagem fica guardada.",
    moved: ({ hadMenu, hasPerson }) =>
      `Seu atendimento foi encaminhado para *{{queue}}*.${hadMenu ? " O menu anterior não vale mais." : ""} Escreva aqui o que você precisa: ${hasPerson ? "um atendente vai responder." : "a sua mensagem fica guardada."}`,
    rateUs:
      "Como foi o seu atendimento? Responda com um número:\n\n*1* - Insatisfeito\n*2* - Satisfeito\n*3* - Muito satisfeito",
    closed: "Atendimento encerrado. Obrigado pelo contato!",
    accepted: "{{greeting}}! Meu nome é *{{agent}}* e vou continuar o seu atendimento.",
    transferred: (to, closed) =>
      `Seu atendimento foi transferido${to === null ? "" : ` para *{{${to}}}*`}. ${closed ?? "Aguarde um momento, por favor."}`,
    noCalls: "Não atendemos ligações por este número. Por favor, escreva a sua mensagem.",
    notes: "Notas (você)",
  },
  en: {
    back: "Back",
    mainMenu: "Main menu",
    waitForPerson: "All right! Please wait a moment, somebody will be with you.",
    stop: "Talk to a person",
    stopWord: stopWord.en,
    notUnderstood: "Sorry, I did not understand. Please answer with the number of one of the options:",
    sendNumber: "I have kept this for our team. To go on, please send the *number* of one of the menu options.",
    outOfHours: (opening) => `We are closed now.${opens.en(opening)} Feel free to write: your message is kept.`,
    notServed: "We cannot answer here at the moment. Your message is kept.",
    moved: ({ hadMenu, hasPerson }) =>
      `Your conversation has gone to *{{queue}}*.${hadMenu ? " The menu above is no longer valid." : ""} Write here what you need: ${hasPerson ? "somebody will answer." : "your message is kept."}`,
    rateUs: "How was our service? Answer with a number:\n\n*1* - Unsatisfied\n*2* - Satisfied\n*3* - Very satisfied",
    closed: "This conversation has ended. Thank you for getting in touch!",
    accepted: "{{greeting}}! My name is *{{agent}}*, and I will take it from here.",
    transferred: (to, closed) =>
      `Your conversation has been transferred${to === null ? "" : ` to *{{${to}}}*`}. ${closed ?? "Please wait a moment."}`,
    noCalls: "We do not take calls on this number. Please write us a message.",
    notes: "Notes (you)",
  },
  es: {
    back: "Volver",
    mainMenu: "Menú inicial",
    waitForPerson: "¡Listo! Espere un momento, una persona le va a atender.",
    stop: "Hablar con una persona",
    stopWord: stopWord.es,
    notUnderstood: "Disculpe, no entendí. Responda con el número de una de las opciones:",
    sendNumber:
      "Lo recibí y lo guardé para el equipo. Para continuar, envíe el *número* de una de las opciones del menú.",
    outOfHours: (opening) => `Ahora estamos cerrados.${opens.es(opening)} Puede escribir: su mensaje queda guardado.`,
    notServed: "En este momento no podemos responder por aquí. Su mensaje queda guardado.",
    moved: ({ hadMenu, hasPerson }) =>
      `Su conversación pasó a *{{queue}}*.${hadMenu ? " El menú anterior ya no vale." : ""} Escriba aquí lo que necesita: ${hasPerson ? "una persona le va a responder." : "su mensaje queda guardado."}`,
    rateUs:
      "¿Cómo fue la atención? Responda con un número:\n\n*1* - Insatisfecho\n*2* - Satisfecho\n*3* - Muy satisfecho",
    closed: "Atención finalizada. ¡Gracias por escribirnos!",
    accepted: "¡{{greeting}}! Mi nombre es *{{agent}}* y voy a continuar con su atención.",
    transferred: (to, closed) =>
      `Su conversación fue transferida${to === null ? "" : ` a *{{${to}}}*`}. ${closed ?? "Espere un momento, por favor."}`,
    noCalls: "No atendemos llamadas en este número. Por favor, escriba su mensaje.",
    notes: "Notas (tú)",
  },
};

/** The default texts in the language of a connection. */
export function defaultTextsIn(language: BotLanguage): DefaultTexts {
  return texts[language];
}
