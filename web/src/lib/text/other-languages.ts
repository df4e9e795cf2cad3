/**
 * English and Spanish in the build: files that are fetched where they are the chosen language (`web/build/languages.ts`).
 * Portuguese is with the code, and stands in for a text whose file has not come.
 */
import type { Language, Message } from "@prosa/contract/i18n";

type Texts = Readonly<Record<string, Message>>;
type Dictionary = Readonly<Record<string, Texts>>;
type Part = "first" | "rest";

const files = import.meta.env?.PROD
  ? {
      en: {
        first: () => import("virtual:texts/en/first"),
        rest: () => import("virtual:texts/en/rest"),
      },
      es: {
        first: () => import("virtual:texts/es/first"),
        rest: () => import("virtual:texts/es/rest"),
      },
    }
  : undefined;

const dictionaries: Record<"en" | "es", Record<string, Texts>> = { en: {}, es: {} };
const loading = new Map<string, Promise<void>>();

/** Fetches the texts of one language, once: those of the first screens, or all. */
export async function loadTexts(language: Language, part: Part | "all"): Promise<void> {
  if (part === "all") {
    await Promise.all([loadTexts(language, "first"), loadTexts(language, "rest")]);
  } else if (files && language !== "pt") {
    const key = `${language}/${part}`;
    const known = loading.get(key) ?? fetchTexts(language, files[language][part]);
    loading.set(key, known);
    // What failed is asked for again the next time.
    await known.catch((error: unknown) => {
      loading.delete(key);
      throw error;
    });
  }
}

async function fetchTexts(language: "en" | "es", load: () => Promise<{ readonly default: Dictionary }>): Promise<void> {
  Object.assign(dictionaries[language], (await load()).default);
}

/** The build puts this in place of the three languages of a declaration. */
export function otherLanguages<T extends Texts>(key: string, pt: T): Record<Language, T> {
  return {
    pt,
    get en() {
      return (dictionaries.en[key] as T | undefined) ?? pt;
    },
    get es() {
      return (dictionaries.es[key] as T | undefined) ?? pt;
    },
  };
}
