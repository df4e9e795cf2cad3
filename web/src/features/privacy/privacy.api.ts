import { privacy, type ContactExport } from "@prosa/contract/privacy";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
import { downloadFile } from "#web/lib/session/downloads.ts";
import { call } from "#web/lib/session/session.ts";
import type { RetentionDraft } from "./retention-draft.ts";

export const erasuresResource = createResource({
  key: "erasures",
  list: privacy.erasures,
  page: ({ records: items, count, hasMore }) => ({ items, count, hasMore }),
  hasNoEvents: true,
});

export const retentionOptions = queryOptions({
  queryKey: ["retention"],
  queryFn: ({ signal }) => call(privacy.retention, { signal }),
  // No event tells of the company's days.
  staleTime: 0,
});

/** The form has a field for each queue, and the queues' own dialogs change their days (V-02). */
export const retentionRealtime: RealtimeHandlers = {
  queue: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: retentionOptions.queryKey }),
};

/** Asked for again each second while one is being written: no event tells of it. */
export const exportsOptions = (id: number) =>
  queryOptions({
    queryKey: ["contact-exports", id],
    queryFn: ({ signal }) => call(privacy.exports, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.records.some((record) => record.state === "waiting") ? 1_000 : false),
  });

export function useRequestExport(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(privacy.export, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["contact-exports", id] }),
  });
}

/** Saves the archive under a name, such as "contato", with the contact's id. */
export function downloadExport({ id, contactId }: ContactExport, name: string): Promise<void> {
  return downloadFile(privacy.download, { params: { id } }, `${name}-${contactId}.zip`);
}

export function useErase() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, confirmation }: { readonly id: number; readonly confirmation: string }) =>
      call(privacy.erase, { params: { id }, body: { confirmation } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["erasures"] }),
  });
}

export function usePreviewRetention() {
  return useMutation({ mutationFn: (body: RetentionDraft) => call(privacy.previewRetention, { body }) });
}

/** How many messages more the next night deletes once this queue is deleted, and the company's days hold for what it served. */
export async function countKeptByQueue(id: number): Promise<number> {
  const preview = (body: RetentionDraft) => call(privacy.previewRetention, { body });
  const [without, now] = await Promise.all([preview({ queues: [{ id, days: null }] }), preview({})]);
  return Math.max(0, without.messages - now.messages);
}

export function useSaveRetention() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RetentionDraft) => call(privacy.saveRetention, { body }),
    // After a refusal too: what is shown is not what is saved.
    onSettled: () => queryClient.invalidateQueries({ queryKey: retentionOptions.queryKey }),
  });
}
