/** Which time zones does the list offer, with which labels? Pure, but for the zones that the browser knows. */

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

/** `America/Sao_Paulo` → "America / Sao Paulo" */
export function zoneText(name: string): string {
  return name.replaceAll("_", " ").replaceAll("/", " / ");
}

function offsetOf(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
