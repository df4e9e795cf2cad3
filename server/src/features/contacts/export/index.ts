export { exportContacts } from "./export-contacts.ts";
