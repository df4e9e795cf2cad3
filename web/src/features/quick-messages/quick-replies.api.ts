import { quickMessages, type QuickMessage } from "@prosa/contract/quick-messages";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

export const quickMessagesKey = "quickMessages";

/** All quick replies that this user can send: suggestions must not wait for the server while they type (M-12). */
export const quickRepliesOptions = queryOptions({
  queryKey: [quickMessagesKey, "lookup"],
  queryFn: ({ signal }): Promise<readonly QuickMessage[]> => call(quickMessages.lookup, { query: {}, signal }),
  staleTime: 60_000,
});
