import { queues } from "@prosa/contract/queues";
import { queryOptions } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";

/** The company's queues in order; every picker shares this query. */
export const queuesOptions = queryOptions({
  queryKey: ["queues", "lookup"],
  queryFn: ({ signal }) => call(queues.list, { signal }),
});

/** For pickers where no screen keeps the queues themselves current. */
export const queueChoicesRealtime: RealtimeHandlers = {
  queue: (_, queryClient) => void queryClient.invalidateQueries(queuesOptions),
};
