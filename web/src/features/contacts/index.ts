export { ContactDialog, contactFieldOfError } from "./ContactDialog.tsx";
export { ContactFacts } from "./ContactFacts.tsx";
export { ContactFinder } from "./ContactFinder.tsx";
export { contactOptions, useSaveContact } from "./contacts.api.ts";
export { contactMessages } from "./contacts.i18n.ts";
export { contactsRealtime } from "./contacts.realtime.ts";
