export { campaignSettingsOf, listCampaignSettings, saveCampaignSettings } from "./campaign-settings.ts";
export type { CampaignSettings } from "./campaign-settings.ts";
