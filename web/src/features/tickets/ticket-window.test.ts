import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { fetchAgain } from "#web/lib/fetchAgain.ts";
import { aTicket } from "../testing.ts";
import type { TicketList } from "./ticket-lists.ts";
import { freshOrKnown, isSightOld, lookAt, rowsOf } from "./ticket-window.ts";
import { ticketKeys, type TicketPage, type TicketPages } from "./tickets.cache.ts";

const list: TicketList = {
  status: "open",
  showAll: true,
  queueIds: [],
  tags: [],
  users: [],
  searchParam: "",
  withUnreadMessages: false,
};
const size = 4;

/** A list read down to its tenth page, and what the server is asked from then on. */
async function aDeepList() {
  const onServer = Array.from({ length: 60 }, (_, index) => index + 1);
  const asked: number[] = [];
  const queryClient = new QueryClient();
  const page = (number: number): TicketPage => ({
    tickets: onServer.slice((number - 1) * size, number * size).map((id) => aTicket({ id })),
    count: onServer.length,
    hasMore: number * size < onServer.length,
  });
  const queryKey = ticketKeys.list(list);
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey,
    queryFn: ({ pageParam }) =>
      freshOrKnown(list, pageParam, queryClient.getQueryData<TicketPages>(queryKey)?.pages[pageParam - 1], async () => {
        asked.push(pageParam);
        return page(pageParam);
      }),
    initialPageParam: 1,
    getNextPageParam: (last: TicketPage, all) => (last.hasMore ? all.length + 1 : undefined),
    staleTime: Infinity,
  });
  onTestFinished(observer.subscribe(() => undefined));
  await observer.refetch();
  for (let read = 1; read < 10; read += 1) {
    await observer.fetchNextPage();
  }
  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  asked.length = 0;
  const pages = () => observer.getCurrentResult().data?.pages ?? [];
  const shown = () => rowsOf(pages()).rows.map(({ id }) => id);
  return { queryClient, observer, onServer, asked, pages, shown };
}

/** The clock has moved on since the pages were fetched, which within a test it may not have. */
const later = async () => {
  const now = Date.now();
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(now);
};

test("after a gap only the pages in sight are asked for, not all that were read (N-05, T-05)", async () => {
  const { queryClient, asked, pages } = await aDeepList();
  onTestFinished(lookAt(list, { first: 6, last: 7 }));
  await later();

  await fetchAgain(queryClient);

  expect(asked).toEqual([6, 7]);
  expect(pages()).toHaveLength(10);
  expect(isSightOld(pages(), { first: 6, last: 7 })).toBe(false);
  expect(isSightOld(pages(), { first: 5, last: 6 })).toBe(true);
});

test("who comes near an old page has it fetched, and nothing else with it (N-05)", async () => {
  const { queryClient, observer, onServer, asked, shown } = await aDeepList();
  const lookAway = lookAt(list, { first: 6, last: 6 });
  await later();
  // Meanwhile two new ones came, and one of the second page was resolved.
  onServer.splice(onServer.indexOf(7), 1);
  onServer.unshift(101, 102);
  await fetchAgain(queryClient);
  lookAway();
  asked.length = 0;

  onTestFinished(lookAt(list, { first: 1, last: 2 }));
  await observer.refetch();

  expect(asked).toEqual([1, 2]);
  expect(shown().slice(0, 8)).toEqual([101, 102, 1, 2, 3, 4, 5, 6]);
  expect(new Set(shown()).size).toBe(shown().length);
  expect(shown()).not.toContain(7);
});

test("a ticket that stands in an old page and in a fresh one is shown where the fresh one has it (T-22)", async () => {
  const { queryClient, onServer, shown } = await aDeepList();
  onTestFinished(lookAt(list, { first: 6, last: 6 }));
  await later();
  // The second one was written to in the gap; the page in sight is read as it is now.
  onServer.splice(onServer.indexOf(2), 1);
  onServer.splice(20, 0, 2);

  await fetchAgain(queryClient);

  expect(shown().filter((id) => id === 2)).toHaveLength(1);
  expect(shown().indexOf(2)).toBeGreaterThan(15);
});

test("a list that nobody looks at in its depth is asked for as a whole", async () => {
  const { queryClient, asked } = await aDeepList();
  await later();

  await fetchAgain(queryClient);

  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
