import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
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

/** A filter without the queues that were deleted, or taken from the user, since it was chosen. */
export function useLivingQueues(chosen: readonly number[]): readonly number[] {
  const choices = useQueueChoices();
  return useMemo(() => stillChoosable(chosen, choices), [chosen, choices]);
}
