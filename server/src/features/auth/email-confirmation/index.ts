export { askToConfirm, confirmEmail, noteEmailConfirmed, remindToConfirm } from "./confirm-email.ts";
