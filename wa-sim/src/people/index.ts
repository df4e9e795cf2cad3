export { findOrCreatePerson, findOrCreatePhone, makeUser } from "./accounts.ts";
export type { EncryptedPart } from "./decrypt-message.ts";
export { Person } from "./person.ts";
export type { HistoryMessage, SentMessage } from "./person.ts";
export { Phone } from "./phone.ts";
