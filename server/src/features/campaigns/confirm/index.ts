export { takeCampaignReplies } from "./take-replies.ts";
export type { CampaignReply } from "./take-replies.ts";
