import { plans, type PlanBody } from "@prosa/contract/plans";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";

const plansOptions = queryOptions({
  queryKey: ["plans", "list"],
  queryFn: ({ signal }) => call(plans.list, { signal }),
});

/** Every plan, as the operator sees them. */
export function usePlans() {
  return useQuery(plansOptions);
}

/** Creates without an id, changes with one. */
export function useSavePlan() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { readonly id: number | undefined; readonly body: PlanBody }) =>
      id === undefined ? call(plans.create, { body }) : call(plans.update, { params: { id }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["plans"] }),
  });
}

export function useRemovePlan() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(plans.remove, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["plans"] }),
  });
}
