import type { Tag } from "@prosa/contract/tags";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
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

  // A request replaces all tags, and several clicks come before its answer: each goes on from what the one before asked for.
  const wanted = useRef<{ readonly ticketId: number; readonly choices: readonly TagChoice[] }>(undefined);
  const sent = useRef<Promise<void>>(Promise.resolve());

  const change = (alter: (now: readonly TagChoice[]) => readonly TagChoice[]) => {
    const now = wanted.current?.ticketId === ticketId ? wanted.current.choices : tags;
    const mine = { ticketId, choices: alter(now) };
    wanted.current = mine;
    sent.current = sent.current.then(async () => {
      if (wanted.current !== mine && wanted.current?.ticketId === ticketId) {
        return; // a later one has it
      }
      try {
        onChanged((await set.mutateAsync(mine)).tags);
      } catch (error) {
        toast.failure(error);
      }
      if (wanted.current === mine) {
        wanted.current = undefined;
      }
    });
  };
  const isTag = (id: number) => (choice: TagChoice) => "id" in choice && choice.id === id;
  return {
    all,
    isSaving: set.isPending,
    remove: (id: number) => change((now) => now.filter((choice) => !isTag(id)(choice))),
    create: (name: string) => change((now) => [...now, { name }]),
    toggle: (id: number) =>
      change((now) => {
        const chosen = all.find((tag) => tag.id === id);
        return now.some(isTag(id)) ? now.filter((choice) => !isTag(id)(choice)) : [...now, ...(chosen ? [chosen] : [])];
      }),
  };
}
