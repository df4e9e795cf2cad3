/**
 * The words that a date or time may be typed with, without accents and in lower case. All three languages are understood
 * whatever language is shown: who writes "amanhã" in an English screen means tomorrow.
 */

/** Days from today. */
export const relativeDays: Readonly<Record<string, number>> = {
  hoje: 0,
  today: 0,
  hoy: 0,
  amanha: 1,
  tomorrow: 1,
  manana: 1,
  "depois de amanha": 2,
  "day after tomorrow": 2,
  "the day after tomorrow": 2,
  "pasado manana": 2,
  ontem: -1,
  yesterday: -1,
  ayer: -1,
  anteontem: -2,
  anteayer: -2,
};

/** From Sunday on; a word is known by any beginning of at least three letters. */
export const weekdays: readonly (readonly string[])[] = [
  ["domingo", "sunday"],
  ["segunda", "segunda-feira", "monday", "lunes"],
  ["terca", "terca-feira", "tuesday", "martes"],
  ["quarta", "quarta-feira", "wednesday", "miercoles"],
  ["quinta", "quinta-feira", "thursday", "jueves"],
  ["sexta", "sexta-feira", "friday", "viernes"],
  ["sabado", "saturday"],
];

/** From January on; known by a beginning of at least three letters. */
export const months: readonly (readonly string[])[] = [
  ["janeiro", "january", "enero"],
  ["fevereiro", "february", "febrero"],
  ["marco", "march", "marzo"],
  ["abril", "april"],
  ["maio", "may", "mayo"],
  ["junho", "june", "junio"],
  ["julho", "july", "julio"],
  ["agosto", "august"],
  ["setembro", "september", "septiembre"],
  ["outubro", "october", "octubre"],
  ["novembro", "november", "noviembre"],
  ["dezembro", "december", "diciembre"],
];

/** Minutes of the units of "in 2 hours". */
export const unitMinutes: readonly (readonly [RegExp, number])[] = [
  [/^(m|min|mins|minutos?|minutes?)$/u, 1],
  [/^(h|hs|hora|horas|hours?|hrs?)$/u, 60],
  [/^(d|dias?|days?)$/u, 1_440],
  [/^(semanas?|weeks?)$/u, 10_080],
];

export const namedTimes: Readonly<Record<string, string>> = {
  "meio-dia": "12:00",
  "meio dia": "12:00",
  mediodia: "12:00",
  noon: "12:00",
  midday: "12:00",
  "meia-noite": "00:00",
  "meia noite": "00:00",
  medianoche: "00:00",
  midnight: "00:00",
};

/** What may stand before or after a day, one after another: "el próximo viernes", "sexta que vem". */
export const fillers: readonly RegExp[] = [
  /^(on|o|a|el|la|em|no|na|this|est[ae]) /u,
  /^(next|proxim[oa]) /u,
  / (que vem|que viene|next|proxim[oa])$/u,
];

/** Where a word of the day's part makes 3 o'clock 15:00. */
export const dayParts: readonly (readonly [RegExp, "am" | "pm"])[] = [
  [/ (da|de la|in the) (manha|manana|morning)$/u, "am"],
  [/ (da|de la|in the) (tarde|afternoon|evening|noite|noche)$/u, "pm"],
  [/ at night$/u, "pm"],
];

/** The place of a word in a list of names, by a beginning of three letters or more: "seg" is 1, "set" is not. */
export function placeOf(word: string, names: readonly (readonly string[])[]): number | undefined {
  const beginning = word.replace(/\.$/u, "");
  const at = names.findIndex((all) => all.some((name) => beginning.length >= 3 && name.startsWith(beginning)));
  return at < 0 ? undefined : at;
}
