import { companies, type CompanyProfile } from "@prosa/contract/companies";
import { settingDefaults, settings, type CompanySettingKey } from "@prosa/contract/settings";
import type { BodyIn } from "@prosa/contract/endpoint";
import {
  queryOptions,
  mutationOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call, currentSession, updateSessionUser, useUser } from "#web/lib/session/session.ts";

export interface Setting {
  readonly key: string;
  readonly value: string;
}

export const settingsOptions = queryOptions({
  queryKey: ["settings", "list"],
  queryFn: ({ signal }) => call(settings.list, { signal }),
});

export function useSettings() {
  return useQuery(settingsOptions);
}

/** The value of a setting; its default until it is fetched. */
export function useSetting(key: CompanySettingKey): string {
  const { data } = useSettings();
  return data?.find((setting) => setting.key === key)?.value ?? settingDefaults[key];
}

/** Live updates of changes from other windows (G-02). */
export const settingsRealtime: RealtimeHandlers = {
  settings: ({ setting }, queryClient) => putSetting(queryClient, setting),
  company: ({ action }, queryClient) =>
    action === "update" && void queryClient.invalidateQueries({ queryKey: ownCompanyKey }),
};

export function useSaveSetting() {
  return useMutation(saveSettingOptions(useQueryClient()));
}

/** Optimistic: shows the new value at once, and rolls it back if the server refuses it. */
export const saveSettingOptions = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: ({ key, value }: { readonly key: CompanySettingKey; readonly value: string }) =>
      call(settings.save, { params: { key }, body: { value } }),
    onMutate: async (setting) => {
      await queryClient.cancelQueries({ queryKey: settingsOptions.queryKey });
      const before = queryClient.getQueryData(settingsOptions.queryKey)?.find(({ key }) => key === setting.key);
      putSetting(queryClient, setting);
      return { before };
    },
    // This one alone: others may have been saved, or be on their way.
    onError: (_error, _setting, context) => context?.before && putSetting(queryClient, context.before),
    onSuccess: (saved) => putSetting(queryClient, saved),
  });

function putSetting(queryClient: QueryClient, setting: Setting): void {
  queryClient.setQueryData(settingsOptions.queryKey, (cached) => cached && replaced(cached, setting));
  const session = currentSession();
  if (session.state === "in") {
    const { company } = session.user;
    updateSessionUser({ company: { ...company, settings: replaced(company.settings, setting) } });
  }
}

function replaced(all: readonly Setting[], setting: Setting): Setting[] {
  return all.map((other) => (other.key === setting.key ? setting : other));
}

const ownCompanyKey = ["companies", "own"] as const;
const companyOptions = (id: number) =>
  queryOptions({
    queryKey: [...ownCompanyKey, id],
    queryFn: ({ signal }) => call(companies.get, { params: { id }, signal }),
  });

/** The user's own company: opening hours, time zone, language. */
export function useCompany() {
  return useQuery(companyOptions(useUser().companyId));
}

export function useSaveSchedules() {
  return useSaveCompany((id, body: BodyIn<typeof companies.saveSchedules>) =>
    call(companies.saveSchedules, { params: { id }, body }),
  );
}

export function useSaveLocale() {
  return useSaveCompany((id, body: BodyIn<typeof companies.saveLocale>) =>
    call(companies.saveLocale, { params: { id }, body }),
  );
}

/** Fetches again what the tabs show; called at every tab change (G-01). */
export function useReloadSettings(): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const noun of ["settings", "companies", "plans", "helps"]) {
      void queryClient.invalidateQueries({ queryKey: [noun] });
    }
  };
}

function useSaveCompany<B>(save: (id: number, body: B) => Promise<CompanyProfile>) {
  const queryClient = useQueryClient();
  const { companyId } = useUser();
  return useMutation({
    mutationFn: (body: B) => save(companyId, body),
    onSuccess: (saved) => {
      queryClient.setQueryData(companyOptions(companyId).queryKey, saved);
      const session = currentSession();
      if (session.state === "in") {
        // all times on screen are formatted in the company's time zone
        updateSessionUser({ company: { ...session.user.company, timeZone: saved.timeZone } });
      }
    },
  });
}
