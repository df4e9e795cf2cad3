import { campaignRules } from "@prosa/contract/campaigns";
import type { QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { campaignKeys, campaignsResource, putCampaign } from "./campaigns.api.ts";

/** Live updates of the list and of reports; a report asks again some seconds after its end (specification 2 section 4). */
export const campaignsRealtime: RealtimeHandlers = {
  campaign: (packet, queryClient) => {
    if (packet.action === "delete") {
      campaignsResource.drop(queryClient, packet.id);
      queryClient.removeQueries({ queryKey: campaignKeys.one(packet.id) });
      return;
    }
    putCampaign(queryClient, packet.record);
    if (packet.record.status === "FINALIZADA") {
      setTimeout(() => refetchReport(queryClient, packet.record.id), campaignRules.refetchAfterEndMs);
    }
  },
};

/** Fetches again what a report shows. */
export function refetchReport(queryClient: QueryClient, id: number): void {
  for (const queryKey of [campaignKeys.one(id), campaignKeys.timeline(id), campaignKeys.recipients(id)]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}
