import { audit, type AuditFilters } from "@prosa/contract/audit";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { downloadCsv } from "#web/lib/api/download.ts";
import { call } from "#web/lib/session/session.ts";

const key = "audit";

/** The log, the latest first; the next page is what came before the last entry. */
export function useAudit(filters: AuditFilters) {
  return useInfiniteQuery({
    queryKey: [key, filters],
    queryFn: ({ pageParam, signal }) => call(audit.list, { query: { ...filters, before: pageParam }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ records, hasMore }) => (hasMore ? records.at(-1)?.id : undefined),
    // No event tells of new entries: there are many, and nobody waits for them.
    staleTime: 0,
  });
}

/** Verifies the chain, and shows what was found. */
export function useVerifyAudit() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(audit.verify, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

export async function downloadAudit(filters: AuditFilters): Promise<void> {
  downloadCsv("auditoria.csv", await call(audit.export, { query: filters }));
}
