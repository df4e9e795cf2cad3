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

/**
 * A due date that is set without a word about the trial ends it (decision 0273). Where the form's switch was not touched, the word is
 * what holds now: the company may have paid since the form opened.
 */
export async function withTrial<C extends { readonly dueDate?: string; readonly isTrial?: boolean }>(
  id: number,
  changed: C,
): Promise<C & { readonly isTrial?: boolean }> {
  if (changed.dueDate === undefined || changed.isTrial !== undefined) {
    return changed;
  }
  const { isTrial = false } = await call(companies.get, { params: { id } });
  return { ...changed, isTrial };
}

/** The plans to choose from, also those that are not offered. */
export const planChoices = queryOptions({
  queryKey: ["plans", "list"],
  queryFn: ({ signal }) => call(plans.list, { signal }),
});

/** Live updates of changes by other operators and windows. */
export const companiesRealtime: RealtimeHandlers = {
  company: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: ["companies"] }),
};
