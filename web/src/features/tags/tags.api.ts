import { tags, type Tag } from "@prosa/contract/tags";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";

/** Every tag of the company, by name, for pickers. */
export const tagsOptions = queryOptions({
  queryKey: ["tags", "lookup"],
  queryFn: ({ signal }) => call(tags.lookup, { query: {}, signal }),
});

/** A tag that the company has, or only a name for one to be made. */
export type TagChoice = Pick<Tag, "id" | "name"> | { readonly name: string };

/** Gives a ticket these tags and no others (T-20). */
export function useSetTags() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ ticketId, wishes }: { readonly ticketId: number; readonly wishes: readonly TagChoice[] }) =>
      call(tags.sync, { body: { ticketId, tags: [...wishes] } }),
    onSuccess: (_, { wishes }) =>
      wishes.some((wish) => !("id" in wish)) ? queryClient.invalidateQueries({ queryKey: ["tags"] }) : undefined,
  });
}
