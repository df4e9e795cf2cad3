/**
 * Texts in three languages, for both sides. Portuguese is written first and is the fallback; a key that another language
 * lacks is a type error, and so is a placeholder that the caller forgets.
 */
export const languages = ["pt", "en", "es"] as const;
export type Language = (typeof languages)[number];

/** For Intl and the page's `lang`. */
export const localeOf: Record<Language, string> = { pt: "pt-BR", en: "en-US", es: "es-419" };

/** A plural form is chosen by the value `count`; a form that a language lacks falls back to `other`. */
export interface Plural {
  readonly other: string;
  readonly one?: string;
  readonly zero?: string;
}
export type Message = string | Plural;

export type Messages<T extends Record<string, Message> = Record<string, Message>> = {
  readonly pt: T;
  readonly en: Readonly<Record<keyof T, Message>>;
  readonly es: Readonly<Record<keyof T, Message>>;
};

type NoExtra<T, U> = { readonly [K in keyof U]: K extends keyof T ? U[K] : never };
type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type NamesOf<M> = M extends string ? Names<M> : M extends { readonly other: infer O } ? Names<O> | "count" : never;
/** These name a thing: as a number it would be grouped by thousands like a quantity. */
type Identifier = "id" | "ticket" | "port" | "code";
export type Values<M> = { readonly [Name in NamesOf<M>]: Name extends Identifier ? string : string | number };

export type Translate<T extends Record<string, Message>> = <K extends keyof T>(
  key: K,
  ...values: [NamesOf<T[K]>] extends [never] ? [] : [values: Values<T[K]>]
) => string;

/** Declares the texts of one noun, side by side. */
export function defineMessages<
  const T extends Record<string, Message>,
  E extends Record<keyof T, Message>,
  S extends Record<keyof T, Message>,
>(messages: { pt: T; en: E & NoExtra<T, E>; es: S & NoExtra<T, S> }): Messages<T> {
  return messages;
}

/** Declares words that are looked up by the language first. */
export function byLanguage<T>(words: Readonly<Record<Language, T>>): Readonly<Record<Language, T>> {
  return words;
}

/** Texts outside of React: the same in a given language. */
export function translator<T extends Record<string, Message>>(messages: Messages<T>, language: Language): Translate<T> {
  return (key, ...[values]) => {
    const message: Message = messages[language][key] ?? messages.pt[key];
    return fill(message, (values ?? {}) as Record<string, string | number>, language);
  };
}

/** Fills the placeholders of one text. */
export function fill(message: Message, values: Readonly<Record<string, string | number>>, language: Language): string {
  const text = typeof message === "string" ? message : pluralForm(message, Number(values.count), language);
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : typeof value === "number" ? formatNumber(value, language) : value;
  });
}

function pluralForm(message: Plural, count: number, language: Language): string {
  if (count === 0 && message.zero !== undefined) {
    return message.zero;
  }
  return pluralRules(language).select(count) === "one" ? (message.one ?? message.other) : message.other;
}

const rules = new Map<Language, Intl.PluralRules>();
function pluralRules(language: Language): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(localeOf[language]);
  rules.set(language, known);
  return known;
}

function formatNumber(value: number, language: Language): string {
  return value.toLocaleString(localeOf[language]);
}
