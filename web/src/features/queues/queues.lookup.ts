import { queues } from "@prosa/contract/queues";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

/** The company's queues in order; every picker shares this query. */
export const queuesOptions = queryOptions({
  queryKey: ["queues", "lookup"],
  queryFn: ({ signal }) => call(queues.list, { signal }),
});
