import type { Tag } from "@prosa/contract/tags";
import { useQuery } from "@tanstack/react-query";
import { toast } from "#web/ui/Toast.tsx";
import { tagsOptions, useSetTags, type TagChoice } from "./tags.api.ts";

/** The tags that there are, and the verbs that change those of a ticket (T-20). */
export function useTicketTags(props: {
  readonly ticketId: number;
  readonly tags: readonly Tag[];
  readonly onChanged: (tags: readonly Tag[]) => void;
}) {
  const { ticketId, tags, onChanged } = props;
  const all = useQuery(tagsOptions).data ?? [];
  const set = useSetTags();

  const change = async (choices: readonly TagChoice[]) => {
    try {
      onChanged((await set.mutateAsync({ ticketId, choices })).tags);
    } catch (error) {
      toast.failure(error);
    }
  };
  const without = (id: number) => tags.filter((tag) => tag.id !== id);
  return {
    all,
    isSaving: set.isPending,
    remove: (id: number) => void change(without(id)),
    create: (name: string) => void change([...tags, { name }]),
    toggle(id: number) {
      const chosen = all.find((tag) => tag.id === id);
      void change(tags.some((tag) => tag.id === id) ? without(id) : [...tags, ...(chosen ? [chosen] : [])]);
    },
  };
}
