import { deadJobs } from "@prosa/contract/dead-jobs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createResource } from "#web/lib/resource.ts";
import { call } from "#web/lib/session.ts";

export const deadJobsResource = createResource({
  key: "dead-jobs",
  list: deadJobs.list,
  page: ({ deadJobs: items, count, hasMore }) => ({ items, count, hasMore }),
  remove: deadJobs.remove,
  hasNoEvents: true,
});

/** Also where it was gone already: then the list is old, and is fetched anew. */
export function useRetryJob() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(deadJobs.retry, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["dead-jobs"] }),
  });
}
