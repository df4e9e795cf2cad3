import { languages } from "@prosa/contract/i18n";
import type { Language } from "@prosa/contract/i18n";

/** A longer recording is left to the agents. */
export const maxMinutes = 10;

/** Why a recording has no words: it is too long, the service took too long, would not take it, failed, or heard none in it. */
export type WhyUntranscribed = "tooLong" | "late" | "refused" | "failed" | "wordless";

/** Stand in place of the words, where agents and the model read them. */
const notes: Readonly<Record<WhyUntranscribed, Readonly<Record<Language, string>>>> = {
  tooLong: {
    pt: `[Áudio de mais de ${maxMinutes} minutos: não foi transcrito]`,
    en: `[Recording of more than ${maxMinutes} minutes: not transcribed]`,
    es: `[Audio de más de ${maxMinutes} minutos: no fue transcrito]`,
  },
  late: {
    pt: "[Áudio não transcrito: a transcrição não terminou a tempo]",
    en: "[Recording not transcribed: it was not done in time]",
    es: "[Audio no transcrito: la transcripción no terminó a tiempo]",
  },
  refused: {
    pt: "[Áudio não transcrito: o serviço de transcrição não o aceitou]",
    en: "[Recording not transcribed: the transcription service did not accept it]",
    es: "[Audio no transcrito: el servicio de transcripción no lo aceptó]",
  },
  wordless: { pt: "[Áudio sem palavras]", en: "[Recording without words]", es: "[Audio sin palabras]" },
  failed: {
    pt: "[Áudio não transcrito: o serviço de transcrição falhou]",
    en: "[Recording not transcribed: the transcription service failed]",
    es: "[Audio no transcrito: el servicio de transcripción falló]",
  },
};

export function untranscribedNote(why: WhyUntranscribed, language: Language): string {
  return notes[why][language];
}

const all = new Set(Object.values(notes).flatMap((each) => languages.map((language) => each[language])));

/** Whether this stands in place of words: nobody said it, so no text is looked for by it. Pure. */
export function isUntranscribed(transcript: string): boolean {
  return all.has(transcript);
}
