/**
 * Texts in three languages. Portuguese is written first and is the fallback; a key that another language lacks is a type
 * error, and so is a placeholder that the caller forgets.
 *
 *     const messages = defineMessages({
 *       pt: { hello: "Olá, {name}", found: { one: "{count} contato", other: "{count} contatos" } },
 *       en: { hello: "Hello, {name}", found: { one: "{count} contact", other: "{count} contacts" } },
 *       es: { … },
 *     });
 *     const t = useMessages(messages);
 *     t("found", { count: 3 })
 */
import { languages, localeOf, translator } from "@prosa/contract/i18n";
import type { Language, Message, Messages, Translate } from "@prosa/contract/i18n";
import { createContext, createElement, useContext, useSyncExternalStore, type ReactNode } from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { writeStored, readStored } from "#web/lib/session/storage.ts";
import { loadTexts } from "./other-languages.ts";

export { defineMessages, fill, languages, localeOf, translator } from "@prosa/contract/i18n";
export type { Language, Message, Messages, Plural, Translate, Values } from "@prosa/contract/i18n";

export const languageNames: Record<Language, string> = { pt: "Português", en: "English", es: "Español" };

/** The texts in the chosen language; renders again when it changes. */
export function useMessages<T extends Record<string, Message>>(messages: Messages<T>): Translate<T> {
  return knownTranslator(messages, useLanguage());
}

/** One for all components: a conversation asks for the same texts in every bubble. */
function knownTranslator<T extends Record<string, Message>>(messages: Messages<T>, language: Language): Translate<T> {
  const known = translators[language].get(messages) ?? translator(messages, language);
  translators[language].set(messages, known);
  return known as Translate<T>;
}
const translators: Readonly<Record<Language, WeakMap<object, unknown>>> = {
  pt: new WeakMap(),
  en: new WeakMap(),
  es: new WeakMap(),
};

const LanguageContext = createContext<Language | undefined>(undefined);

/** At the root of the app: a context costs a bubble nothing, a subscription of its own two effects. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  return createElement(LanguageContext, { value: useSyncExternalStore(subscribe, currentLanguage) }, children);
}

export function useLanguage(): Language {
  return useContext(LanguageContext) ?? current;
}

export function currentLanguage(): Language {
  return current;
}

/** Switches every text at once, without a reload (S-08), and remembers it. */
export function setLanguage(language: Language): void {
  wanted = language;
  writeStored("prosa.language", language);
  loadTexts(language, "all").then(
    () => show(language),
    // Offline: the next start tries again.
    () => undefined,
  );
}

/** Resolves when the first screens can be drawn in the chosen language; the other texts are fetched after it. */
export async function languageReady(): Promise<void> {
  await loadTexts(current, "first").catch(() => undefined);
  whenIdle(() => void allTextsReady());
}

/** Resolves when every screen can be drawn in the chosen language, or in Portuguese where its texts do not come. */
export async function allTextsReady(): Promise<void> {
  await loadTexts(current, "all").catch(() => undefined);
}

function show(language: Language): void {
  // Another choice may have been made while this one was fetched.
  if (language === wanted) {
    current = language;
    showLanguage();
    listeners.forEach((listener) => listener());
  }
}

const listeners = new Set<() => void>();
let current: Language = languages.find((language) => language === readStored("prosa.language")) ?? "pt";
let wanted = current;
showLanguage();

function showLanguage(): void {
  if (typeof document !== "undefined") {
    document.documentElement.lang = localeOf[current];
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
