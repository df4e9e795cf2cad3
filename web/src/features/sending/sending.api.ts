import { optOuts, sendingRulesApi, warmUpPlan } from "@prosa/contract/sending";
import type { SendingRules, WarmUpStep } from "@prosa/contract/sending";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";

const optOutKey = (contactId: number) => ["optOuts", contactId] as const;

/** Whether a contact wants no campaigns, and since when. */
export function optOutsOptions(contactId: number) {
  return queryOptions({
    queryKey: optOutKey(contactId),
    queryFn: ({ signal }) => call(optOuts.ofContact, { params: { id: contactId }, signal }),
  });
}

export function useSetOptOut(contactId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (note: string) => call(optOuts.set, { params: { id: contactId }, body: { note } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: optOutKey(contactId) }),
  });
}

export function useTakeOptOutBack(contactId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(optOuts.takeBack, { params: { id: contactId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: optOutKey(contactId) }),
  });
}

/** A contact changes with its opt-out: by a word, by another user, by a merge. */
export const optOutsRealtime: RealtimeHandlers = {
  contact: (event, queryClient) => {
    if (event.action === "update") {
      void queryClient.invalidateQueries({ queryKey: optOutKey(event.contact.id) });
    }
  },
};

export const sendingRulesOptions = queryOptions({
  queryKey: ["sendingRules"],
  queryFn: ({ signal }) => call(sendingRulesApi.get, { signal }),
  // With the lines that there are now, and what each started today.
  staleTime: 0,
});

export function useSaveSendingRules() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ lines = [], ...rules }: Partial<SendingRules>) =>
      call(sendingRulesApi.save, {
        body: {
          ...rules,
          lines: lines.map(({ whatsappId, dailyCap, warmUp }) => ({ whatsappId, dailyCap, warmUp })),
        },
      }),
    onSuccess: (saved) => queryClient.setQueryData(sendingRulesOptions.queryKey, saved),
  });
}

export const warmUpPlanOptions = queryOptions({
  queryKey: ["warmUpPlan"],
  queryFn: ({ signal }) => call(warmUpPlan.get, { signal }),
});

export function useSaveWarmUpPlan() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (steps: WarmUpStep[]) => call(warmUpPlan.save, { body: { steps } }),
    onSuccess: (saved) => queryClient.setQueryData(warmUpPlanOptions.queryKey, saved),
  });
}
