import { queues } from "@prosa/contract/queues";
import { users, type Colleague, type User } from "@prosa/contract/users";
import { queryOptions, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";
import { existingOf } from "#web/ui/fields/merged-choice.ts";
import { colleaguesOptions } from "./colleagues.ts";

export const usersResource = createResource({
  key: "users",
  list: users.list,
  // The screen is for admins, who are given whole users.
  page: ({ users: items, count, hasMore }) => ({ items: items.filter(isWhole), count, hasMore }),
  create: users.create,
  update: users.update,
  remove: users.remove,
});

/** The queues to choose from. */
export const queueChoices = queryOptions({
  queryKey: ["queues", "lookup"],
  queryFn: ({ signal }) => call(queues.list, { query: {}, signal }),
});

/** Of chosen queues those that there are still. */
export function useKnownQueues(): (chosen: readonly number[]) => number[] {
  const { data } = useQuery(queueChoices);
  return (chosen) => existingOf(chosen, data);
}

/** The queues of a user as they are known now: a colleague may have changed them since the form opened. */
export function useNewestQueues(): (user: User | undefined) => readonly number[] {
  const queryClient = useQueryClient();
  return (user) => queueIdsOf(user && (findUser(queryClient, user.id) ?? user));
}

export function queueIdsOf(user: User | undefined): number[] {
  return user?.queues.map(({ id }) => id) ?? [];
}

/** Live updates (U-01, U-04). A change may move the row to another place or page, so the lists are fetched again after it. */
export const usersRealtime: RealtimeHandlers = {
  user: (event, queryClient) => {
    if (event.action === "delete") {
      usersResource.drop(queryClient, event.userId);
      return;
    }
    const { user } = event;
    if (isWhole(user) && findUser(queryClient, user.id)) {
      usersResource.put(queryClient, user);
    }
    void queryClient.invalidateQueries({ queryKey: ["users", "list"] });
    void queryClient.invalidateQueries({ queryKey: colleaguesOptions.queryKey });
  },
  // It is taken from all who had it; a change of its name or colour shows in their rows as well.
  queue: (_, queryClient) => {
    void queryClient.invalidateQueries({ queryKey: ["users", "list"] });
    void queryClient.invalidateQueries({ queryKey: queueChoices.queryKey });
  },
  presence: ({ user: { id, online } }, queryClient) => {
    const cached = findUser(queryClient, id);
    if (cached) {
      usersResource.put(queryClient, { ...cached, online });
    }
    queryClient.setQueryData(colleaguesOptions.queryKey, (known) =>
      known?.map((user) => (user.id === id ? { ...user, online } : user)),
    );
  },
};

function isWhole(user: User | Colleague): user is User {
  return "email" in user;
}

function findUser(queryClient: QueryClient, id: number): User | undefined {
  return queryClient
    .getQueriesData<{ readonly pages: readonly { readonly items: readonly User[] }[] }>({ queryKey: ["users", "list"] })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.items) ?? [])
    .find((user) => user.id === id);
}
