import { defineMessages } from "#web/lib/text/i18n.ts";

export const waitingMessages = defineMessages({
  pt: {
    now: "agora",
    minutes: "{minutes} min",
    hours: "{hours} h",
    hoursMinutes: "{hours} h {minutes}",
    days: "{days} d",
    waitsNow: "espera há menos de 1 min",
    waitsFor: "espera há {time}",
    waitsShort: "espera {time}",
  },
  en: {
    now: "now",
    minutes: "{minutes} min",
    hours: "{hours} h",
    hoursMinutes: "{hours} h {minutes}",
    days: "{days} d",
    waitsNow: "waiting for less than 1 min",
    waitsFor: "waiting for {time}",
    waitsShort: "waiting {time}",
  },
  es: {
    now: "ahora",
    minutes: "{minutes} min",
    hours: "{hours} h",
    hoursMinutes: "{hours} h {minutes}",
    days: "{days} d",
    waitsNow: "espera desde hace menos de 1 min",
    waitsFor: "espera desde hace {time}",
    waitsShort: "espera {time}",
  },
});
