import { companyExports } from "@prosa/contract/company-exports";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

const queryKey = ["company-exports"] as const;

export const isOpen = ({ state }: { readonly state: string }) => state === "waiting" || state === "running";

/** Asked for again each second while one is being written: no event tells of it. */
export const exportsOptions = queryOptions({
  queryKey,
  queryFn: ({ signal }) => call(companyExports.list, { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.records.some(isOpen) ? 1_000 : false),
});

export function useStartExport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(companyExports.start, {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/** Cancels one that is being written, or deletes one. */
export function useRemoveExport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(companyExports.remove, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/** By the browser's own download, which goes on after a break: the archive may be larger than the memory. */
export async function downloadExport(id: number): Promise<void> {
  const { url } = await call(companyExports.link, { params: { id } });
  Object.assign(document.createElement("a"), { href: url, download: "" }).click();
}
