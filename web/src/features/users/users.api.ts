import { queues } from "@prosa/contract/queues";
import { users, type User } from "@prosa/contract/users";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

export const usersResource = createResource({
  key: "users",
  list: users.list,
  page: ({ users: items, count, hasMore }) => ({ items, count, hasMore }),
  create: users.create,
  update: users.update,
  remove: users.remove,
});

/** The queues to choose from. */
export const queueChoices = queryOptions({
  queryKey: ["queues", "lookup"],
  queryFn: ({ signal }) => call(queues.list, { query: {}, signal }),
});

/** Live updates (U-01, U-04). Events carry only public fields: presence patches the row, any other change fetches again. */
export const usersRealtime: RealtimeHandlers = {
  user: (event, queryClient) => {
    if (event.action === "delete") {
      usersResource.drop(queryClient, event.userId);
      return;
    }
    const cached = findUser(queryClient, event.user.id);
    const changed = event.user as Partial<User>;
    if (event.action === "update" && cached && isOnlyPresence(cached, changed)) {
      usersResource.put(queryClient, { ...cached, online: changed.online ?? cached.online });
    } else {
      void queryClient.invalidateQueries({ queryKey: ["users", "list"] });
    }
    void queryClient.invalidateQueries({ queryKey: ["users", "lookup"] });
  },
};

/** Pure: did only the presence change? */
export function isOnlyPresence(cached: User, changed: Partial<User>): boolean {
  const queuesOf = (user: Partial<User>) =>
    JSON.stringify(user.queues?.map(({ id, name, color }) => [id, name, color]));
  return (
    cached.online !== changed.online &&
    cached.name === changed.name &&
    cached.profile === changed.profile &&
    queuesOf(cached) === queuesOf(changed)
  );
}

function findUser(queryClient: QueryClient, id: number): User | undefined {
  return queryClient
    .getQueriesData<{ readonly pages: readonly { readonly items: readonly User[] }[] }>({ queryKey: ["users", "list"] })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.items) ?? [])
    .find((user) => user.id === id);
}
