import type { Language } from "./i18n.ts";
import { wallClockOf } from "./zoned-time.ts";

/** Variables in message texts (specification 1 section 2), for browser and server. */
export const variableNames = [
  "firstName",
  "name",
  "greeting",
  "protocol",
  "date",
  "hour",
  "queue",
  "agent",
  "company",
] as const;
export type VariableName = (typeof variableNames)[number];
export type VariableValues = Readonly<Record<VariableName, string>>;

/** What else people write for a variable: the words of their language, and those of the products that they come from. */
const aliases: Readonly<Record<VariableName, string>> = {
  firstName: "primeironome primernombre",
  name: "nome nombre",
  greeting: "ms saudacao saludo",
  protocol: "protocolo",
  date: "data fecha",
  hour: "hora",
  queue: "fila cola setor sector",
  agent: "atendente agente user usuario",
  company: "empresa",
};

/** Each spelling of a variable, folded. */
export const variableSpellings: ReadonlyMap<string, VariableName> = new Map(
  variableNames.flatMap((name) =>
    [name.toLowerCase(), ...aliases[name].split(" ")].map((spelling) => [spelling, name]),
  ),
);

/** The words between double braces. Single braces are the variables of campaigns. */
export const variablePattern = /\{\{([^{}\n]*)\}\}/g;

/** `firstName` → `{{firstName}}`. */
export function variableToken(name: VariableName): string {
  return `{{${name}}}`;
}

/** Folds what stands between the braces: case, accents, blanks and hyphens do not matter, as in `{{ Saudação }}`. */
export function foldVariable(written: string): string {
  return written
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\p{M}\s_-]/gu, "");
}

/**
 * Replaces variables by their values. Unknown ones such as `{{code}}` stay unchanged; one without a value goes with its
 * comma and blank: "Olá, {{firstName}}!" is "Olá!".
 */
export function resolveVariables(text: string, values: VariableValues): string {
  return replaceTokens(text, variablePattern, (key) => {
    const name = variableSpellings.get(foldVariable(key));
    return name && values[name];
  });
}

/** Replaces each match by the value of its first group: undefined stays as written, "" goes with its comma and blank. */
export function replaceTokens(text: string, pattern: RegExp, valueOf: (key: string) => string | undefined): string {
  const replaced = text.replace(pattern, (written, key: string) => {
    const value = valueOf(key);
    return value === undefined ? written : value || gap;
  });
  return replaced.includes(gap) ? closeGaps(replaced) : replaced;
}

/** Stands for an empty value until the text around it is mended; a noncharacter, which Unicode keeps for such internal use. */
const gap = "\uFDD0";

function closeGaps(text: string): string {
  return (
    text
      .replace(/([*_~]?)\uFDD0\1/g, gap)
      .replace(/\(\uFDD0\)/g, gap)
      .replace(/\uFDD0(?:[ \t,]*\uFDD0)+/g, gap)
      // At the start of a sentence: what follows becomes its start.
      .replace(
        /(^[ \t]*|[.!?…][ \t]+|[¡¿])\uFDD0[ \t]*(?:[,;:.!?…]+[ \t]*)?(\p{Ll}?)/gmu,
        (_, before: string, letter: string) => before + letter.toUpperCase(),
      )
      // Before a mark or the end: its comma goes too. Blanks are read from the first of a row: a name may have thousands.
      .replace(/(?:,|(?<![ \t]))[ \t]*\uFDD0(?=[,;:.!?…)]|[ \t]*$)/gm, "")
      .replace(/(?<![ \t])[ \t]*\uFDD0/g, "")
      .trimEnd()
  );
}

/** Values for one conversation at a given time, in the company's time zone. */
export function variableValues(facts: {
  readonly contactName: string;
  readonly protocol: string;
  /** Null without a queue; likewise the user. */
  readonly queueName: string | null;
  readonly userName: string | null;
  readonly companyName: string;
  readonly now: Date;
  readonly timeZone: string;
  readonly language: Language;
}): VariableValues {
  const { protocol, now, timeZone, language } = facts;
  const name = namedOnly(facts.contactName);
  const [date = "", hour = ""] = wallClockOf(now, timeZone).split("T");
  return {
    firstName: name.split(/\s+/, 1)[0] ?? "",
    name,
    greeting: greetings[language][partOfDay(Number(hour.slice(0, 2)))],
    protocol,
    date: date.split("-").reverse().join("/"),
    hour,
    queue: facts.queueName ?? "",
    agent: facts.userName ?? "",
    company: facts.companyName,
  };
}

/** A contact without a name has its number as name, which is not used in a greeting. */
export function namedOnly(contactName: string): string {
  const name = contactName.trim();
  return /\p{L}/u.test(name) ? name : "";
}

type PartOfDay = "morning" | "afternoon" | "night";

function partOfDay(hour: number): PartOfDay {
  if (hour >= 5 && hour < 12) {
    return "morning";
  }
  return hour >= 12 && hour < 18 ? "afternoon" : "night";
}

const greetings: Readonly<Record<Language, Readonly<Record<PartOfDay, string>>>> = {
  pt: { morning: "Bom dia", afternoon: "Boa tarde", night: "Boa noite" },
  en: { morning: "Good morning", afternoon: "Good afternoon", night: "Good evening" },
  es: { morning: "Buenos días", afternoon: "Buenas tardes", night: "Buenas noches" },
};
