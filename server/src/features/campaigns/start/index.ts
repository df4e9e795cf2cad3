export { cancelCampaign, isServed, restartCampaign, startCampaign } from "./start-campaign.ts";
export { finishIfDone, hasOpenRecipients, tendCampaign } from "./tend-campaign.ts";
