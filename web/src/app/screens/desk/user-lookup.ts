/** The users of the company, for the desk's dialogs and filters. */
import { users } from "@prosa/contract/users";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

export const userLookupOptions = queryOptions({
  queryKey: ["users", "lookup"],
  queryFn: ({ signal }) => call(users.lookup, { query: {}, signal }),
});
