import { scheduledMessages, type Schedule } from "@prosa/contract/schedules";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";

const key = "schedules";

/** Schedules of a contact, the next one first. */
export function schedulesOfContact(contactId: number) {
  return queryOptions({
    queryKey: [key, "contact", contactId],
    queryFn: async ({ signal }) =>
      (await call(scheduledMessages.list, { query: { contactId: String(contactId) }, signal })).schedules,
  });
}

export interface ScheduleInput {
  readonly body: string;
  readonly contactId: number;
  readonly whatsappId: number | null;
  readonly sendAt: string;
}

/** Creates one, or updates it when there is an id. */
export function useSaveSchedule() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, wish }: { readonly id: number | undefined; readonly wish: ScheduleInput }): Promise<Schedule> =>
      id === undefined
        ? call(scheduledMessages.create, { body: wish })
        : call(scheduledMessages.update, { params: { id }, body: wish }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

export function useRemoveSchedule() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(scheduledMessages.remove, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

export const schedulesRealtime: RealtimeHandlers = {
  schedule: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
};
