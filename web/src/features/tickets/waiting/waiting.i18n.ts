import { defineMessages } from "#web/lib/text/i18n.ts";

export const waitingMessages = defineMessages({
  pt: {
    now: "agora",
    minutes: "{minutes} min",
    hours: "{hours} h",
    hoursMinutes: "{hours} h {minutes}",
    days: "{days} d",
    waitsNow: "espera desde agora",
    waitsFor: "espera há {time}",
  },
  en: {
    now: "now",
    minutes: "{minutes} min",
    hours: "{hours} h",
    hoursMinutes: "{hours} h {minutes}",
    days: "{days} d",
    waitsNow: "waiting since just now",
    waitsFor: "waiting for {time}",
  },
  es: {
    now: "ahora",
    minutes: "{minutes} min",
    hours: "{hours} h",
    hoursMinutes: "{hours} h {minutes}",
    days: "{days} d",
    waitsNow: "espera desde ahora",
    waitsFor: "espera hace {time}",
  },
});
