import {
  campaigns,
  campaignSettingDefaults,
  campaignSettings,
  type Campaign,
  type CampaignBody,
} from "@prosa/contract/campaigns";
import type { CampaignVariable } from "@prosa/contract/campaign-texts";
import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";
import type { Pace } from "./estimate.ts";

const key = "campaigns";

/** The list of /campaigns, the newest first (K-03). */
export const campaignsResource = createResource({
  key,
  list: campaigns.list,
  page: ({ records, count, hasMore }) => ({ items: records, count, hasMore }),
  remove: campaigns.remove,
  isNewestFirst: true,
});

export const campaignKeys = {
  one: (id: number) => [key, "one", id] as const,
  timeline: (id: number) => [key, "timeline", id] as const,
  recipients: (id: number) => [key, "recipients", id] as const,
};

/** One campaign, for its report. */
export const campaignOptions = (id: number) =>
  queryOptions({
    queryKey: campaignKeys.one(id),
    queryFn: async ({ signal }): Promise<Campaign> => call(campaigns.get, { params: { id }, signal }),
  });

/** Shows a changed campaign wherever it is on the screen. */
export function putCampaign(queryClient: QueryClient, campaign: Campaign): void {
  campaignsResource.put(queryClient, campaign);
  queryClient.setQueryData(campaignOptions(campaign.id).queryKey, (known) => known && campaign);
}

function useCampaignMutation<T>(mutationFn: (variables: T) => Promise<Campaign>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn, onSuccess: (campaign: Campaign) => putCampaign(queryClient, campaign) });
}

export const useCancelCampaign = () => useCampaignMutation((id: number) => call(campaigns.cancel, { params: { id } }));
export const useRestartCampaign = () =>
  useCampaignMutation((id: number) => call(campaigns.restart, { params: { id } }));
export const useCloneCampaign = () => useCampaignMutation((id: number) => call(campaigns.clone, { params: { id } }));

/** What is saved of a campaign. `clientId` tells the server that a second request means the same new one. */
type CampaignChange =
  | { readonly id: undefined; readonly body: Partial<CampaignBody> & { readonly clientId: string } }
  | { readonly id: number; readonly body: Partial<CampaignBody> };

/** Creates without an id; changes the given fields of an existing one. */
export const useSaveCampaign = () =>
  useCampaignMutation((change: CampaignChange) =>
    change.id === undefined
      ? call(campaigns.create, { body: { name: "", ...change.body } })
      : call(campaigns.update, { params: { id: change.id }, body: change.body }),
  );

/** Sets the file of a campaign; null takes it off. */
export const useCampaignFile = () =>
  useCampaignMutation(({ id, file }: { readonly id: number; readonly file: File | null }) =>
    file === null
      ? call(campaigns.removeMedia, { params: { id } })
      : call(campaigns.upload, { params: { id }, body: {}, files: [file] }),
  );

/** Sends each written text once to a number. */
export function useTestCampaign() {
  return useMutation({
    mutationFn: ({ id, number }: { readonly id: number; readonly number: string }) =>
      call(campaigns.test, { params: { id }, body: { number } }),
  });
}

/** Pace and variables; what is not saved yet has the specification's defaults (specification 2 section 9). */
export interface CampaignSettings extends Pace {
  readonly variables: readonly CampaignVariable[];
}

export const campaignSettingsOptions = queryOptions({
  queryKey: [key, "settings"],
  queryFn: async ({ signal }) => readSettings(await call(campaignSettings.list, { signal })),
});

/** Pure: the settings from their keys with JSON values. */
export function readSettings(rows: readonly { readonly key: string; readonly value: string }[]): CampaignSettings {
  const saved = Object.fromEntries(rows.map((row) => [row.key, JSON.parse(row.value) as unknown]));
  return { ...campaignSettingDefaults, ...(saved as Partial<CampaignSettings>) };
}

/**
 * Saves those that are given; what colleagues changed of the others stays, and of the variables what the form has not changed
 * since it read `knownVariables`.
 */
export function useSaveCampaignSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (edit: {
      readonly changed: Partial<CampaignSettings>;
      readonly knownVariables: readonly CampaignVariable[];
    }) => {
      const { variables, ...pace } = edit.changed;
      const own = variables && { variables: [...variables] };
      const body = { settings: { ...pace, ...own }, knownVariables: [...edit.knownVariables] };
      return readSettings(await call(campaignSettings.save, { body }));
    },
    onSuccess: (saved) => queryClient.setQueryData(campaignSettingsOptions.queryKey, saved),
  });
}
