/** What the desk's dialogs and filters choose from, asked once and kept. */
import { queues } from "@prosa/contract/queues";
import { users } from "@prosa/contract/users";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";

export const queuesOptions = queryOptions({
  queryKey: ["queues", "lookup"],
  queryFn: ({ signal }) => call(queues.list, { query: {}, signal }),
});

export const usersOptions = queryOptions({
  queryKey: ["users", "lookup"],
  queryFn: ({ signal }) => call(users.lookup, { query: {}, signal }),
});
