/** Which time zones does the list offer, with which labels? Pure, but for the zones that the browser knows. */
import { localeOf, type Language } from "#web/lib/text/i18n.ts";

export interface Zone {
  readonly name: string;
  readonly label: string;
}

/** Listed first: most companies are in Brazil. */
const brazil = [
  "America/Sao_Paulo",
  "America/Bahia",
  "America/Fortaleza",
  "America/Recife",
  "America/Maceio",
  "America/Belem",
  "America/Araguaina",
  "America/Campo_Grande",
  "America/Cuiaba",
  "America/Manaus",
  "America/Porto_Velho",
  "America/Boa_Vista",
  "America/Rio_Branco",
  "America/Noronha",
];

/** `chosen` is always included, even if this browser does not know it. */
export function zonesFor(
  chosen: string,
  at: Date,
): { readonly brazil: readonly Zone[]; readonly world: readonly Zone[] } {
  const names = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", chosen]);
  const world = [...names].filter((name) => !brazil.includes(name)).toSorted();
  const zone = (name: string): Zone => ({ name, label: `${zoneText(name)} (${offsetOf(name, at)})` });
  return { brazil: brazil.map(zone), world: world.map(zone) };
}

/** The zone as people call it, in a language: "Horário Padrão de Brasília (GMT-3)". Where nobody does, the offset alone. */
export function zoneName(timeZone: string, language: Language, at: Date): string {
  const name = partOf(localeOf[language], { timeZone, timeZoneName: "longGeneric" }, at);
  const offset = offsetOf(timeZone, at);
  return name.startsWith("GMT") ? offset : `${name} (${offset})`;
}

/** `America/Sao_Paulo` → "America / Sao Paulo" */
function zoneText(name: string): string {
  return name.replaceAll("_", " ").replaceAll("/", " / ");
}

function offsetOf(timeZone: string, at: Date): string {
  return partOf("en", { timeZone, timeZoneName: "shortOffset" }, at);
}

function partOf(locale: string, options: Intl.DateTimeFormatOptions, at: Date): string {
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
