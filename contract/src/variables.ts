/** Variables in message texts (specification 1 section 2), for browser and server. */
export const variableNames = ["firstName", "name", "greeting", "protocol", "date", "hour"] as const;
export type VariableName = (typeof variableNames)[number];
export type VariableValues = Readonly<Record<VariableName, string>>;

export type TextLanguage = "pt" | "en" | "es";

/** `firstName` → `{{firstName}}`. */
export function variableToken(name: VariableName): string {
  return `{{${name}}}`;
}

/** Replaces variables by their values. Unknown ones such as `{{code}}` stay unchanged. */
export function resolveVariables(text: string, values: VariableValues): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (written, name: string) => (isVariable(name) ? values[name] : written));
}

/** Values for one conversation at a given time, in the company's time zone. */
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

/** A contact without a name has its number as name, which is not used in a greeting. */
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
