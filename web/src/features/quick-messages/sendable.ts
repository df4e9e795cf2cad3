import { quickMessages, type QuickMessage } from "@prosa/contract/quick-messages";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";

export const quickMessagesKey = "quickMessages";

/** What the composer suggests, all of it: choosing by typing must not wait for the server (M-12). */
export const sendableOptions = queryOptions({
  queryKey: [quickMessagesKey, "sendable"],
  queryFn: ({ signal }): Promise<readonly QuickMessage[]> => call(quickMessages.lookup, { query: {}, signal }),
  staleTime: 60_000,
});
