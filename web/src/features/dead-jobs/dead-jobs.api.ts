import { deadJobs } from "@prosa/contract/dead-jobs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

export const deadJobsResource = createResource({
  key: "dead-jobs",
  list: deadJobs.list,
  page: ({ deadJobs: items, count, hasMore }) => ({ items, count, hasMore }),
  remove: deadJobs.remove,
  hasNoEvents: true,
});

/** Runs a dead job again. Fetches the list after an error too: the job may be gone already. */
export function useRetryJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(deadJobs.retry, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["dead-jobs"] }),
  });
}
