/** What a text may say of the conversation it is sent in (specification 1 section 2), for the browser and the server. */
export const variableNames = ["firstName", "name", "greeting", "protocol", "date", "hour"] as const;
export type VariableName = (typeof variableNames)[number];
export type VariableValues = Readonly<Record<VariableName, string>>;

export type TextLanguage = "pt" | "en" | "es";

/** `firstName` → `{{firstName}}`, as it is written in a text. */
export function variableToken(name: VariableName): string {
  return `{{${name}}}`;
}

/** Puts the values in. What is no variable stays as it is written: a contact may be sent `{{code}}`. */
export function resolveVariables(text: string, values: VariableValues): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (written, name: string) => (isVariable(name) ? values[name] : written));
}

/** The values of one conversation at one moment, in the company's time zone. */
export function variableValues(facts: {
  readonly contactName: string;
  readonly protocol: string;
  readonly now: Date;
  readonly timeZone: string;
  readonly language: TextLanguage;
}): VariableValues {
  const { protocol, now, timeZone, language } = facts;
  const name = nameOf(facts.contactName);
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const hour = clock.format(now);
  return {
    firstName: name.split(/\s+/, 1)[0] ?? "",
    name,
    greeting: greetings[language][partOfDay(Number(hour.slice(0, 2)))],
    protocol,
    date: new Intl.DateTimeFormat("en-GB", { timeZone, day: "2-digit", month: "2-digit", year: "numeric" }).format(now),
    hour,
  };
}

/** A contact without a name goes by their number, and nobody is greeted by a number. */
function nameOf(contactName: string): string {
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

const greetings: Readonly<Record<TextLanguage, Readonly<Record<PartOfDay, string>>>> = {
  pt: { morning: "Bom dia", afternoon: "Boa tarde", night: "Boa noite" },
  en: { morning: "Good morning", afternoon: "Good afternoon", night: "Good evening" },
  es: { morning: "Buenos días", afternoon: "Buenas tardes", night: "Buenas noches" },
};

function isVariable(name: string): name is VariableName {
  return (variableNames as readonly string[]).includes(name);
}
