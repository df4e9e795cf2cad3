import { expect, test } from "vitest";
import { decideWord } from "./decide-word.ts";
import type { WordContext } from "./decide-word.ts";
import { readOptOutWord } from "./opt-out-words.ts";
import type { OptOutWord } from "./opt-out-words.ts";

test.each([
  ["sair", "leave"],
  ["SAIR!", "leave"],
  ["*Sair*", "leave"],
  ["  pare.  ", "out"],
  ["Parar", "out"],
  ["STOP", "out"],
  ["Não quero receber mais!", "out"],
  ["opt-out", "out"],
  ["Salir", "leave"],
  ["Quiero darme de baja.", "out"],
  ["unsubscribe", "out"],
  ["Cancelar", "perhapsOut"],
  ["não quero mais", "perhapsOut"],
  ["Voltar", "back"],
  ["VOLVER", "back"],
  ["back", "back"],
  ["quero sair do grupo de vendas", undefined],
  ["não pare", undefined],
  ["sair amanhã cedo", undefined],
  ["cancelar meu pedido", undefined],
  ["", undefined],
  ["🛑", undefined],
])("%j is read as %s (P-02)", (text, word) => {
  expect(readOptOutWord(text)).toBe(word);
});

const context: WordContext = {
  lastSaid: "automatic",
  meaningToBot: null,
  isOpen: false,
  hadBulk: false,
  isOptedOut: false,
};
const settled = { settles: true };
const heard = { settles: false };

test.each<[string, OptOutWord, Partial<WordContext>, object]>([
  ["after a campaign", "out", { lastSaid: "bulk", hadBulk: true }, { change: "out", ...settled }],
  ["cancelar after a campaign", "perhapsOut", { lastSaid: "bulk", hadBulk: true }, { change: "out", ...settled }],
  ["after a campaign of last year", "perhapsOut", { lastSaid: "bulk" }, { change: "out", ...settled }],
  ["after a closing text", "out", {}, { change: "out", ...settled }],
  ["cancelar after a closing text", "perhapsOut", {}, { change: null, ...heard }],
  ["sair, to the bot", "leave", { meaningToBot: "command" }, { change: null, ...heard }],
  [
    "sair, to the bot, a campaign last week",
    "leave",
    { meaningToBot: "command", hadBulk: true },
    { change: "out", ...heard },
  ],
  [
    "sair, to the bot, below the confirmation",
    "leave",
    { meaningToBot: "command", lastSaid: "answer", isOptedOut: true },
    { change: null, ...heard },
  ],
  [
    "sair, below the confirmation of voltar, which names it",
    "leave",
    { meaningToBot: "command", lastSaid: "answer" },
    { change: "out", ...settled },
  ],
  ["sair, after an automatic text of the last time", "leave", {}, { change: "out", ...settled }],
  ["parar, to the bot", "out", { meaningToBot: "nothing" }, { change: "out", ...settled }],
  ["parar, to an assistant", "out", { meaningToBot: "words" }, { change: "out", ...settled }],
  [
    "parar, to the bot, a second time",
    "out",
    { meaningToBot: "nothing", lastSaid: "answer", isOptedOut: true },
    { change: null, ...settled },
  ],
  [
    "cancelar, at the bot's menu, a campaign last week",
    "perhapsOut",
    { meaningToBot: "nothing", hadBulk: true },
    { change: "out", ...settled },
  ],
  [
    "cancelar, to an assistant that may have asked, a campaign last week",
    "perhapsOut",
    { meaningToBot: "words", hadBulk: true },
    { change: "out", ...heard },
  ],
  ["baja, a choice of the menu", "out", { meaningToBot: "choice" }, { change: null, ...heard }],
  [
    "baja, a choice of the menu, a campaign last week",
    "out",
    { meaningToBot: "choice", hadBulk: true },
    { change: null, ...heard },
  ],
  [
    "baja, a choice of the menu above the confirmation",
    "out",
    { meaningToBot: "choice", lastSaid: "answer", isOptedOut: true },
    { change: null, ...heard },
  ],
  [
    "at an old menu, the campaign came after it",
    "out",
    { meaningToBot: "choice", lastSaid: "bulk", hadBulk: true },
    { change: "out", ...settled },
  ],
  ["to a person who has said nothing yet", "leave", { isOpen: true }, { change: null, ...heard }],
  ["to a person", "out", { lastSaid: "person", isOpen: true }, { change: null, ...heard }],
  [
    "to a person, a campaign last week",
    "perhapsOut",
    { lastSaid: "person", isOpen: true, hadBulk: true },
    { change: "out", ...heard },
  ],
  ["as the first word of all", "out", { lastSaid: null }, { change: null, ...heard }],
  ["a second time", "out", { lastSaid: "answer", isOptedOut: true }, { change: null, ...settled }],
  ["back after our answer", "back", { lastSaid: "answer", isOptedOut: true }, { change: "back", ...settled }],
  [
    "back after our answer at a menu",
    "back",
    { lastSaid: "answer", isOptedOut: true, meaningToBot: "command" },
    { change: "back", ...settled },
  ],
  ["back at a menu", "back", { meaningToBot: "command", isOptedOut: true }, { change: null, ...heard }],
  ["back to a person", "back", { lastSaid: "person", isOptedOut: true, isOpen: true }, { change: null, ...heard }],
  ["back a second time", "back", { lastSaid: "answer" }, { change: null, ...settled }],
  ["back of who never left", "back", {}, { change: null, ...heard }],
])("%s (P-02)", (_, word, changes, expected) => {
  expect(decideWord(word, { ...context, ...changes })).toEqual(expected);
});
