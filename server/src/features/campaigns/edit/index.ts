export { cloneCampaign, createCampaign, listCampaigns, updateCampaign } from "./edit-campaign.ts";
export { findCampaignFiles } from "./edit.queries.ts";
export { attachFile, detachFile, removeWithFile } from "./media.ts";
export { isComplete, requireComplete } from "./require-complete.ts";
