/** How is a number typed and shown in a field? */
import { localeOf, type Language } from "./i18n.ts";

/**
 * The number that somebody typed, whichever marks they are used to: 1.234,56 and 1,234.56 are the same. Undefined for what is none, and
 * for one with more decimals than the value has.
 *
 * Of several marks the last is the decimal one, unless it is repeated. One mark before exactly three digits (`1.234`) may be either:
 * then it is what it is in the language of the interface, where we show numbers so too.
 */
export function parseNumber(text: string, language: Language, decimals: number): number | undefined {
  const typed = text.replaceAll(/\s/gu, "");
  const marks = typed.replaceAll(/[^.,]/gu, "");
  const last = marks.at(-1);
  const isAmbiguous = /^-?[1-9]\d{0,2}[.,]\d{3}$/u.test(typed);
  const isWhole = isAmbiguous ? last !== decimalMark(language) : isRepeated(marks);
  const at = last === undefined || isWhole ? typed.length : typed.lastIndexOf(last);
  const whole = typed.slice(0, at);
  const fraction = typed.slice(at + 1);

  const isNumber =
    /^-?(?:\d*|\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*)$/u.test(whole) &&
    /^\d*$/u.test(fraction) &&
    fraction.length <= decimals &&
    /\d/u.test(typed);
  return isNumber ? Number(`${whole.replaceAll(/[.,]/gu, "")}.${fraction}0`) : undefined;
}

/** A number as a field shows it, to be read again by `parseNumber`: without marks between thousands. Money has all its decimals. */
export function numberText(value: number, language: Language, { decimals, isMoney }: NumberShape): string {
  return value.toLocaleString(localeOf[language], {
    useGrouping: false,
    minimumFractionDigits: isMoney ? decimals : 0,
    maximumFractionDigits: decimals,
  });
}

export interface NumberShape {
  readonly decimals: number;
  readonly isMoney: boolean;
}

function isRepeated(marks: string): boolean {
  return marks.length > 1 && new Set(marks).size === 1;
}

function decimalMark(language: Language): string {
  return (0.5).toLocaleString(localeOf[language]).charAt(1);
}
