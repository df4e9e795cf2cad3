import { defineMessages } from "#web/lib/text/i18n.ts";

/** Loaded with the filters of the search alone. */
export const searchFilterMessages = defineMessages({
  pt: { atLeast: "{count} ou mais" },
  en: { atLeast: "{count} or more" },
  es: { atLeast: "{count} o más" },
});
