export { CampaignConfig } from "./CampaignConfig.tsx";
