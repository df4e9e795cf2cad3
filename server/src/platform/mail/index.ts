export { mailTasks, sendMail, sendSealedMail } from "./mail.ts";
export type { Mail, MailTransport } from "./mail.ts";
export { openMail } from "./transports.ts";
