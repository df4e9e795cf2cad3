import { tags, type Tag } from "@prosa/contract/tags";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

/** The tags screen. Events tell of tags, but not of how many conversations have them: so it is fetched whenever it opens. */
export const tagsResource = createResource({
  key: "tags",
  list: tags.list,
  page: ({ tags: items, count, hasMore }) => ({ items, count, hasMore }),
  create: tags.create,
  update: tags.update,
  remove: tags.remove,
  hasNoEvents: true,
});

/** Every tag of the company, by name, for pickers. */
export const tagsOptions = queryOptions({
  queryKey: ["tags", "lookup"],
  queryFn: ({ signal }) => call(tags.lookup, { query: {}, signal }),
});

/** A tag of the company, or the name of a new one. */
export type TagChoice = Pick<Tag, "id" | "name"> | { readonly name: string };

/** Sets the tags of a ticket; creates those without an id (T-20). */
export function useSetTags() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ ticketId, choices }: { readonly ticketId: number; readonly choices: readonly TagChoice[] }) =>
      call(tags.sync, { body: { ticketId, tags: [...choices] } }),
    onSuccess: (_, { choices }) =>
      choices.some((choice) => !("id" in choice)) ? queryClient.invalidateQueries({ queryKey: ["tags"] }) : undefined,
  });
}
