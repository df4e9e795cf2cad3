import { localeOf } from "@prosa/contract/i18n";
import type { Language } from "@prosa/contract/i18n";

/** A moment as mails write it: "29 de novembro de 2026 às 15:05". The hours are those of the screens: "p.m." would end a sentence twice. */
export function mailTime(at: Date, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(localeOf[language], {
    dateStyle: "long",
    timeStyle: "short",
    hourCycle: "h23",
    timeZone,
  }).format(at);
}
