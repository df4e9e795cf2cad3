import { CampaignReport as Report, campaignsRealtime } from "#web/features/campaigns/index.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useParams } from "#web/lib/routing/router.tsx";

registerRealtime(campaignsRealtime);

/** /campaign/:campaignId/report (K-07). */
export function CampaignReport() {
  const { campaignId } = useParams();
  return <Report key={campaignId} id={Number(campaignId)} />;
}
