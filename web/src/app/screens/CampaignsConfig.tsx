import { CampaignConfig } from "#web/features/campaigns/index.ts";
import { SendingRules } from "#web/features/sending/index.ts";

/** /campaigns-config: pace and variables of campaigns (K-08), and the rules of every line (P-03). */
export function CampaignsConfig() {
  return (
    <CampaignConfig>
      <SendingRules />
    </CampaignConfig>
  );
}
