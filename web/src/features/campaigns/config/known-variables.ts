import { foldCampaignKey, type CampaignVariable } from "@prosa/contract/campaign-texts";
import { knownRows, type ReadRows } from "#web/lib/records/known-rows.ts";

/** Pure: what a form that saves `wanted` tells the server to know of the variables (`knownVariables`). */
export function knownVariables(
  wanted: readonly CampaignVariable[],
  read: ReadRows<CampaignVariable>,
): CampaignVariable[] {
  return knownRows(wanted, read, { keyOf: ({ key }) => foldCampaignKey(key), valueOf: ({ value }) => value });
}
