export { mailTasks, sendMail, sendSealedMail } from "./mail.ts";
export type { Mail, MailTransport } from "./mail.ts";
export { mailTime } from "./mail-time.ts";
export { openMail } from "./transports.ts";
