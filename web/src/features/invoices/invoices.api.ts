import { invoices, subscription, type BilledCompany, type Invoice } from "@prosa/contract/invoices";
import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { pagingOf, type ListState, type Page, type Row } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

const key = "invoices";

/** All that is known of invoices is asked again. */
export const invoiceKeys = { queryKey: [key] };

export function useInvoices(): ListState<Invoice> {
  return useAsList(
    pagesOf([key, "list"], async (pageNumber, signal) => {
      const page = await call(invoices.list, { query: { pageNumber }, signal });
      return { items: page.invoices, count: page.count, hasMore: page.hasMore };
    }),
  );
}

/** Invoices of a company, for the operator. */
export function useInvoicesOf(companyId: number): ListState<Invoice> {
  return useAsList(
    pagesOf([key, "company", companyId], async (pageNumber, signal) => {
      const page = await call(invoices.ofCompany, { params: { companyId }, query: { pageNumber }, signal });
      return { items: page.invoices, count: page.count, hasMore: page.hasMore };
    }),
  );
}

export function useBilledCompanies(searchParam: string): ListState<BilledCompany> {
  return useAsList(
    pagesOf([key, "companies", searchParam], async (pageNumber, signal) => {
      const page = await call(invoices.companies, { query: { searchParam, pageNumber }, signal });
      return { items: page.companies, count: page.count, hasMore: page.hasMore };
    }),
  );
}

export const invoiceOptions = (id: number) =>
  queryOptions({ queryKey: [key, "one", id], queryFn: ({ signal }) => call(invoices.get, { params: { id }, signal }) });

/** What an order comes to where no invoice is chosen. */
export const nextOrderOptions = queryOptions({
  queryKey: [key, "next"],
  queryFn: ({ signal }) => call(subscription.next, { signal }),
  refetchOnMount: "always",
});

export const summaryOptions = queryOptions({
  queryKey: [key, "summary"],
  queryFn: ({ signal }) => call(invoices.summary, { signal }),
});

export const billingSettingsOptions = queryOptions({
  queryKey: [key, "settings"],
  queryFn: ({ signal }) => call(invoices.settings, { signal }),
});

registerRealtime({
  invoice: (_, queryClient) => void queryClient.invalidateQueries(invoiceKeys),
  // To operators only: what a company has paid, or another operator has marked, is told to that company.
  company: ({ action }, queryClient) => {
    if (action === "changed") {
      void queryClient.invalidateQueries(invoiceKeys);
    }
  },
});

function pagesOf<T extends Row>(
  queryKey: readonly unknown[],
  load: (pageNumber: number, signal: AbortSignal) => Promise<Page<T>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last: Page<T>, all) => (last.hasMore ? all.length + 1 : undefined),
    // An overdue company has no socket, which would tell of changes.
    refetchOnMount: "always",
  });
}

function useAsList<T extends Row>(options: ReturnType<typeof pagesOf<T>>): ListState<T> {
  const query = useInfiniteQuery(options);
  return {
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    count: query.data?.pages[0]?.count,
    ...pagingOf(query),
  };
}
