export { takeCampaignReplies } from "./confirm/index.ts";
export type { CampaignReply } from "./confirm/index.ts";
export { moveRecipients, restoreRecipients, snapshotRecipients } from "./merge/index.ts";
export type { RecipientsSnapshot } from "./merge/index.ts";
export { createCampaign } from "./edit/index.ts";
export { cancelCampaign, restartCampaign } from "./start/index.ts";
export { recipientStateName } from "./report/index.ts";
