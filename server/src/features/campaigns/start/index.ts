export { cancelCampaign, isServed, restartCampaign, startCampaign } from "./start-campaign.ts";
export { finishIfDone, hasOpenRecipients, tendCampaign, tendCampaignsOfList } from "./tend-campaign.ts";
