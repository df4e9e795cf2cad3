/** The users of the company, for dialogs and filters in which one is chosen. */
import { users } from "@prosa/contract/users";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

export const colleaguesOptions = queryOptions({
  queryKey: ["users", "lookup"],
  queryFn: ({ signal }) => call(users.lookup, { query: {}, signal }),
});
