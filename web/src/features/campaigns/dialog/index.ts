export { CampaignDialog } from "./CampaignDialog.tsx";
