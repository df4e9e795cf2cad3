import { resolveVariables, variableValues } from "@prosa/contract";
import { normalizeAnswer } from "@prosa/contract/normalize-answer";
import { firstLink } from "@prosa/contract/links";
import { expect, test } from "vitest";
import {
  isThanks,
  matchChoice,
  readAnswer as readMenuAnswer,
  readNumber,
  readRating,
  readYesNo,
} from "#server/features/bot/answers/index.ts";
import { knowledgeText, readCitations } from "#server/features/knowledge/citations.ts";
import { needsSource, questionOf, searchedWords, withoutVariables } from "#server/features/knowledge/needs-source.ts";
import { chatTextsOf } from "#server/features/prompts/answer/conversation.ts";
import { firstNameOf } from "#server/features/prompts/answer/instructions.ts";
import { readAnswer as readModelAnswer } from "#server/features/prompts/answer/read-answer.ts";
import { readOptOutWord } from "#server/features/sending/opt-outs/opt-out-words.ts";
import { withSnippets } from "#server/features/tickets/search/snippets.ts";
import { storableText } from "#server/platform/storable-text.ts";

/** As many letters as WhatsApp takes in one message. */
const letters = 64_000;
/** Milliseconds. Patterns that look back took 4,000 to 60,000 for one of these texts; the rest takes 1 to 50. */
const limit = 1_500;

const units = [
  ...["яa", "a", "ol", "olv", "é", "a\u0301", "ﷺ", "k", "kk ha ", "não ", "1", "1 ", "www.", "www.,", "http://"],
  ...[" ", "\t", "\n", " \n", ", ", ",", ".", "*", "*_~", "¿", "#", "(1)", "- ", "👍", "🇧🇷", "\u200D"],
  ...["[", "[ ", "[1", "{", "{a", "{{", "{{a", "<a", "&#", "x@", "ação: ", "\uFDD0", " \uFDD0"],
];
const texts = units.flatMap((unit) => {
  const run = unit.repeat(Math.ceil(letters / unit.length)).slice(0, letters);
  return [run, `a${run}a`];
});

const passage = { sourceId: 1, page: null };
const choices = [
  { option: "1", title: "Preços e horários" },
  { option: "2", title: "Falar com Vendas" },
];
const facts = {
  now: new Date(),
  protocol: "",
  queueName: null,
  userName: null,
  companyName: "Loja",
  timeZone: "America/Sao_Paulo",
  language: "pt",
} as const;

/** What reads a text of a customer, or one that a customer can have a model write. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "a word of the menu": (text) => readMenuAnswer(choices, text),
  "a choice": (text) => matchChoice(choices, text),
  "a number": readNumber,
  "yes or no": readYesNo,
  "a rating": readRating,
  thanks: isThanks,
  "an opt-out": readOptOutWord,
  "an option": normalizeAnswer,
  "a link": firstLink,
  "a name in a template": (contactName) =>
    resolveVariables("Oi {{nome}}, {{nome}}{{protocolo}}!", {
      ...variableValues({ ...facts, contactName }),
      firstName: contactName,
    }),
  "a template": (text) => resolveVariables(text, variableValues({ ...facts, contactName: "" })),
  "a question": (text) => needsSource(text, "Sofás") && questionOf([text, text]),
  instructions: (text) => needsSource("vocês têm?", text),
  "words of a search": searchedWords,
  "variables of a passage": withoutVariables,
  "a passage": (text) => knowledgeText([{ ...passage, source: text, heading: text, text }], "customer"),
  "a citation": (text) => readCitations(text, [{ ...passage, source: "a", heading: "", text: "b" }]),
  "a cut answer": (text) => readModelAnswer({ text, end: "cut" }),
  "a whole answer": (text) => readModelAnswer({ text, end: "complete" }),
  "a first name": firstNameOf,
  history: (body) => chatTextsOf([{ fromMe: false, mediaType: "chat", body, transcript: null }]),
  "a stored text": storableText,
  "a found text": (text) => withSnippets(JSON.stringify([{ text }]), "ola"),
};

test.each(Object.entries(readers))("no odd text of 64,000 letters holds the process: %s (O-08, T-03)", (_, read) => {
  const slow = texts.filter((text) => {
    const began = performance.now();
    read(text);
    return performance.now() - began > limit;
  });
  expect(slow.map((text) => [text.slice(0, 6), text.slice(-3)])).toEqual([]);
});
