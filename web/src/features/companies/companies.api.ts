import { companies, type CompanyRecord } from "@prosa/contract/companies";
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
 * What is saved of a form with another due date, as the company is now: it may have paid since the form opened. A date that has moved
 * meanwhile is put back only where `askToMove` says so; null: it is not. A due date without a word about the trial ends it (decision
 * 0273), so where the form's switch was not touched, the word is what holds now.
 */
export async function withCurrentDueDate<C extends { readonly dueDate?: string; readonly isTrial?: boolean }>(
  opened: Pick<CompanyRecord, "id" | "dueDate">,
  changed: C,
  askToMove: (now: string | null) => Promise<boolean>,
): Promise<(C & { readonly isTrial?: boolean }) | null> {
  if (changed.dueDate === undefined) {
    return changed;
  }
  const { dueDate = null, isTrial = false } = await call(companies.get, { params: { id: opened.id } });
  const isMoved = dueDate !== opened.dueDate && dueDate !== (changed.dueDate || null);
  return isMoved && !(await askToMove(dueDate)) ? null : { isTrial, ...changed };
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
