/** What a person reads when a call did not work. */
import { errorWords } from "@prosa/contract/errors.i18n";
import { byLanguage } from "@prosa/contract/i18n";
import { ApiError } from "./apiError.ts";
import { type Language, useLanguage } from "#web/lib/text/i18n.ts";

/** Failures that only the browser knows. */
const clientWords = byLanguage({
  pt: { network: "Sem conexão com o servidor. Verifique a internet e tente de novo.", cancelled: "Cancelado." },
  en: { network: "No connection to the server. Check your internet and try again.", cancelled: "Cancelled." },
  es: { network: "Sin conexión con el servidor. Revise su internet e inténtelo de nuevo.", cancelled: "Cancelado." },
});

/** The words for anything that was thrown; the server's own for what only it has words for. */
export function errorText(error: unknown, language: Language): string {
  const words: Readonly<Record<string, string>> = { ...errorWords[language], ...clientWords[language] };
  const known = error instanceof ApiError ? (words[error.code] ?? error.serverText) : undefined;
  return known ?? errorWords[language].ERR_INTERNAL;
}

/** `const words = useErrorText(); toast.error(words(error))`. */
export function useErrorText(): (error: unknown) => string {
  const language = useLanguage();
  return (error) => errorText(error, language);
}
