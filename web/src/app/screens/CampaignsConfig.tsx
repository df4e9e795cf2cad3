import { CampaignConfig } from "#web/features/campaigns/index.ts";

/** /campaigns-config: pace and variables of campaigns (K-08). */
export function CampaignsConfig() {
  return <CampaignConfig />;
}
