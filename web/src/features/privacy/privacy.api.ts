import { privacy, type ContactExport, type RetentionChanges } from "@prosa/contract/privacy";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { createResource } from "#web/lib/records/resource.ts";
import { downloadFile } from "#web/lib/session/downloads.ts";
import { call } from "#web/lib/session/session.ts";

export const erasuresResource = createResource({
  key: "erasures",
  list: privacy.erasures,
  page: ({ records: items, count, hasMore }) => ({ items, count, hasMore }),
  hasNoEvents: true,
});

export const retentionOptions = queryOptions({
  queryKey: ["retention"],
  queryFn: ({ signal }) => call(privacy.retention, { signal }),
  // No event tells of it, and the queues' own dialogs change it.
  staleTime: 0,
});

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

export function downloadExport({ id, contactId }: ContactExport): Promise<void> {
  return downloadFile(privacy.download, { params: { id } }, `contato-${contactId}.zip`);
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
  return useMutation({ mutationFn: (body: RetentionChanges) => call(privacy.previewRetention, { body }) });
}

export function useSaveRetention() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RetentionChanges) => call(privacy.saveRetention, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["retention"] }),
  });
}
