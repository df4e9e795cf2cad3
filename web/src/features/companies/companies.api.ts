import { companies } from "@prosa/contract/companies";
import { plans } from "@prosa/contract/plans";
import { queryOptions } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

export const companiesResource = createResource({
  key: "companies",
  list: companies.list,
  page: ({ companies: items, count, hasMore }) => ({ items, count, hasMore }),
  create: companies.create,
  update: companies.update,
  remove: companies.remove,
});

/** The plans to choose from, also those that are not offered. */
export const planChoices = queryOptions({
  queryKey: ["plans", "list"],
  queryFn: ({ signal }) => call(plans.list, { signal }),
});

/** Live updates of changes by other operators and windows. */
export const companiesRealtime: RealtimeHandlers = {
  company: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: ["companies"] }),
};
