import type { BodyIn } from "@prosa/contract/endpoint";
import { prompts } from "@prosa/contract/prompts";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { call } from "#web/lib/session.ts";

const key = ["prompts"] as const;

const promptsOptions = queryOptions({
  queryKey: [...key, "list"],
  queryFn: async ({ signal }) => (await call(prompts.list, { signal })).prompts,
});

/** Every prompt of the company; asked only by those whose plan has them. */
export function usePrompts(isAsked = true) {
  return useQuery({ ...promptsOptions, enabled: isAsked });
}

/** Somebody changed a prompt, or a queue whose name stands beside one. */
export const promptsRealtime: RealtimeHandlers = {
  prompt: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: key }),
  queue: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: key }),
};

/** Creates without an id, changes with one. */
export function useSavePrompt() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { readonly id: number | undefined; readonly body: BodyIn<typeof prompts.create> }) =>
      id === undefined ? call(prompts.create, { body }) : call(prompts.update, { params: { id }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}

export function useRemovePrompt() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(prompts.remove, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}
