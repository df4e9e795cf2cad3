import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queuesOptions } from "#web/features/queues/index.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { stillChoosable } from "./desk-memory.ts";

/** The queues that the user may filter by; undefined until those of an admin are loaded. */
export function useQueueChoices(): readonly { readonly id: number; readonly name: string }[] | undefined {
  const user = useUser();
  const all = useQuery({ ...queuesOptions, enabled: isAdmin(user) }).data;
  return isAdmin(user) ? all : user.queues;
}

/**
 * The queues that a list is filtered by, and how others are chosen. Those that are deleted, or taken from the user, fall out. Until then
 * the array is the same one, whatever is saved of a queue: another would make another list, and what was loaded of this one be dropped.
 */
export function useQueueFilter(
  first: readonly number[],
): readonly [readonly number[], (chosen: readonly number[]) => void] {
  const [chosen, setChosen] = useState(first);
  const living = stillChoosable(chosen, useQueueChoices());
  if (living !== chosen) {
    setChosen(living);
  }
  return [living, setChosen];
}
