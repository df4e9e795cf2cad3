export { moveRecipients, restoreRecipients, snapshotRecipients } from "./move-recipients.ts";
export type { RecipientsSnapshot } from "./move-recipients.ts";
