import { helps, type HelpBody } from "@prosa/contract/helps";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";

const helpsOptions = queryOptions({
  queryKey: ["helps", "lookup"],
  queryFn: ({ signal }) => call(helps.lookup, { signal }),
});

/** Every help video. No event tells of them, so whoever opens them asks again. */
export function useHelps() {
  return useQuery({ ...helpsOptions, refetchOnMount: "always" });
}

/** Creates without an id, changes with one. */
export function useSaveHelp() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { readonly id: number | undefined; readonly body: HelpBody }) =>
      id === undefined ? call(helps.create, { body }) : call(helps.update, { params: { id }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["helps"] }),
  });
}

export function useRemoveHelp() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(helps.remove, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["helps"] }),
  });
}
