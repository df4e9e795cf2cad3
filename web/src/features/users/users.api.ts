import { queues } from "@prosa/contract/queues";
import { users, type User } from "@prosa/contract/users";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { createResource } from "#web/lib/resource.ts";
import { call } from "#web/lib/session.ts";

export const usersResource = createResource({
  key: "users",
  list: users.list,
  page: ({ users: items, count, hasMore }) => ({ items, count, hasMore }),
  create: users.create,
  update: users.update,
  remove: users.remove,
});

/** The queues that a user may be given. */
export const queueChoices = queryOptions({
  queryKey: ["queues", "lookup"],
  queryFn: ({ signal }) => call(queues.list, { query: {}, signal }),
});

/** Live (U-01, U-04). An event tells what colleagues may know; who comes and goes changes the row, the rest is asked again. */
export const usersRealtime: RealtimeHandlers = {
  user: (event, queryClient) => {
    if (event.action === "delete") {
      usersResource.drop(queryClient, event.userId);
      return;
    }
    const known = findUser(queryClient, event.user.id);
    const told = event.user as Partial<User>;
    if (event.action === "update" && known && isOnlyPresence(known, told)) {
      usersResource.put(queryClient, { ...known, online: told.online ?? known.online });
    } else {
      void queryClient.invalidateQueries({ queryKey: ["users", "list"] });
    }
    void queryClient.invalidateQueries({ queryKey: ["users", "lookup"] });
  },
};

/** Did nothing change but whether they are online? Pure. */
export function isOnlyPresence(known: User, told: Partial<User>): boolean {
  const queuesOf = (user: Partial<User>) =>
    JSON.stringify(user.queues?.map(({ id, name, color }) => [id, name, color]));
  return (
    known.online !== told.online &&
    known.name === told.name &&
    known.profile === told.profile &&
    queuesOf(known) === queuesOf(told)
  );
}

function findUser(queryClient: QueryClient, id: number): User | undefined {
  return queryClient
    .getQueriesData<{ readonly pages: readonly { readonly items: readonly User[] }[] }>({ queryKey: ["users", "list"] })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.items) ?? [])
    .find((user) => user.id === id);
}
