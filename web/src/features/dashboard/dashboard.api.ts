import { dashboard, type DashboardComparison, type DashboardCounters } from "@prosa/contract/dashboard";
import type { ResponseOf } from "@prosa/contract/endpoint";
import { products } from "@prosa/contract/products";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { call } from "#web/lib/session/session.ts";
import { chartQuery, figuresQuery, withoutEmptyStart, type Filter } from "./filter.ts";

type Attendant = ResponseOf<typeof dashboard.figures>["attendants"][number];

export interface Figures {
  readonly counters: DashboardCounters;
  readonly attendants: readonly Attendant[];
  /** With the period before; null where there is nothing in it. */
  readonly comparison: DashboardComparison | null;
}

/** A point of the chart of days (or of hours, where the range is one day). */
export interface Point {
  readonly label: string;
  readonly total: number;
}

/** Current counts are refetched each minute while they are shown. */
const refetchInterval = 60_000;

export function figuresOptions(filter: Filter) {
  return queryOptions({
    queryKey: ["dashboard", "figures", filter],
    queryFn: async ({ signal }): Promise<Figures> => {
      const { counters, ...figures } = await call(dashboard.figures, { query: figuresQuery(filter), signal });
      return { ...figures, counters: readCounters(counters) };
    },
    placeholderData: keepPreviousData,
    refetchInterval,
    staleTime: 0,
  });
}

export function perUserOptions(filter: Filter, today: string) {
  return queryOptions({
    queryKey: ["dashboard", "users", filter, today],
    queryFn: async ({ signal }): Promise<readonly Point[]> => {
      const { data } = await call(dashboard.ticketsUsers, { query: chartQuery(filter, today), signal });
      return data.map(({ nome, quantidade }) => ({ label: nome, total: quantidade }));
    },
    placeholderData: keepPreviousData,
    refetchInterval,
    staleTime: 0,
  });
}

export function perDayOptions(filter: Filter, today: string) {
  return queryOptions({
    queryKey: ["dashboard", "days", filter, today],
    queryFn: async ({ signal }): Promise<readonly Point[]> => {
      const { data } = await call(dashboard.ticketsDay, { query: chartQuery(filter, today), signal });
      const points = data.map(({ data: day, horario, total }) => ({ label: day ?? horario ?? "", total }));
      return withoutEmptyStart(points, filter);
    },
    placeholderData: keepPreviousData,
    refetchInterval,
    staleTime: 0,
  });
}

export const productChoices = queryOptions({
  queryKey: ["products", "lookup"],
  queryFn: ({ signal }) => call(products.lookup, { query: {}, signal }),
  // No event tells of it here.
  staleTime: 0,
});

/** Pure: the counters come as JSON text; servers before that sent the object. */
export function readCounters(counters: string | DashboardCounters): DashboardCounters {
  return typeof counters === "string" ? (JSON.parse(counters) as DashboardCounters) : counters;
}

/** Updates the online state of attendants live (D-03). */
export const dashboardRealtime: RealtimeHandlers = {
  user: (event, queryClient) => {
    if (event.action === "delete") {
      void queryClient.invalidateQueries({ queryKey: ["dashboard"] });
    }
  },
  presence: ({ user: { id, online } }, queryClient) =>
    queryClient.setQueriesData<Figures>(
      { queryKey: ["dashboard", "figures"] },
      (known) => known && { ...known, attendants: withPresence(known.attendants, id, online) },
    ),
};

function withPresence(attendants: readonly Attendant[], id: number, online: boolean): Attendant[] {
  return attendants.map((row) => (row.id === id ? { ...row, online } : row));
}
