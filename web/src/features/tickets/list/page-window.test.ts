import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { refetchAll } from "#web/lib/realtime/refetchAll.ts";
import { aTicket } from "../../testing.ts";
import type { TicketList } from "../ticket-lists.ts";
import { cachedOrFetched, fetchMore, fetchNext, hasStalePage, rowsOf, setVisiblePages } from "./page-window.ts";
import { ticketKeys, type TicketPage, type TicketPages } from "../tickets.cache.ts";

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

/** A list scrolled to its tenth page; `asked` collects the pages that are fetched from then on. */
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
      cachedOrFetched(
        list,
        pageParam,
        {
          cached: queryClient.getQueryData<TicketPages>(queryKey)?.pages[pageParam - 1],
          isInvalidated: queryClient.getQueryState(queryKey)?.isInvalidated === true,
        },
        async () => {
          asked.push(pageParam);
          return page(pageParam);
        },
      ),
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

/** Waits until the clock shows a later millisecond than that of the fetches. */
const later = async () => {
  const now = Date.now();
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(now);
};

test("after a gap only the visible pages are fetched, not all that were loaded (N-05, T-05)", async () => {
  const { queryClient, asked, pages } = await aDeepList();
  onTestFinished(setVisiblePages(list, { first: 6, last: 7 }));
  await later();

  await refetchAll(queryClient);

  expect(asked).toEqual([6, 7]);
  expect(pages()).toHaveLength(10);
  expect(hasStalePage(pages(), { first: 6, last: 7 })).toBe(false);
  expect(hasStalePage(pages(), { first: 5, last: 6 })).toBe(true);
});

test("scrolling near a stale page fetches it, and no other page (N-05)", async () => {
  const { queryClient, observer, onServer, asked, shown } = await aDeepList();
  const unregister = setVisiblePages(list, { first: 6, last: 6 });
  await later();
  // Meanwhile two tickets arrived, and one of the second page was resolved.
  onServer.splice(onServer.indexOf(7), 1);
  onServer.unshift(101, 102);
  await refetchAll(queryClient);
  unregister();
  asked.length = 0;

  onTestFinished(setVisiblePages(list, { first: 1, last: 2 }));
  await observer.refetch();

  expect(asked).toEqual([1, 2]);
  expect(shown().slice(0, 8)).toEqual([101, 102, 1, 2, 3, 4, 5, 6]);
  expect(new Set(shown()).size).toBe(shown().length);
  expect(shown()).not.toContain(7);
});

test("a ticket in a stale and in a fresh page is shown where the fresh page has it (T-22)", async () => {
  const { queryClient, onServer, shown } = await aDeepList();
  onTestFinished(setVisiblePages(list, { first: 6, last: 6 }));
  await later();
  // The second ticket moved during the gap; the visible page is fetched again.
  onServer.splice(onServer.indexOf(2), 1);
  onServer.splice(20, 0, 2);

  await refetchAll(queryClient);

  expect(shown().filter((id) => id === 2)).toHaveLength(1);
  expect(shown().indexOf(2)).toBeGreaterThan(15);
});

test("a list that a deleted queue has invalidated is fetched where it is visible, the rest when it is scrolled to (T-06, N-06)", async () => {
  const { queryClient, observer, onServer, asked, pages, shown } = await aDeepList();
  const unregister = setVisiblePages(list, { first: 1, last: 1 });
  // tickets of the deleted queue, which this user may see now
  onServer.unshift(101, 102);

  await queryClient.invalidateQueries({ queryKey: ticketKeys.lists });

  expect(asked).toEqual([1]);
  expect(shown().slice(0, 4)).toEqual([101, 102, 1, 2]);
  unregister();
  const visible = { first: 2, last: 2 };
  onTestFinished(setVisiblePages(list, visible));
  expect(hasStalePage(pages(), visible)).toBe(true);
  await observer.refetch();
  expect(asked).toEqual([1, 2]);
  expect(hasStalePage(pages(), visible)).toBe(false);
});

test("who scrolls on while an invalidated list is being fetched cancels nothing, and gets the next page after it (T-05, T-06)", async () => {
  const { queryClient, observer, onServer, asked, shown } = await aDeepList();
  onTestFinished(setVisiblePages(list, { first: 1, last: 1 }));
  onServer.unshift(101, 102);

  const refetched = queryClient.invalidateQueries({ queryKey: ticketKeys.lists });
  fetchMore(observer.getCurrentResult());
  await refetched;

  expect(shown().slice(0, 4)).toEqual([101, 102, 1, 2]);
  expect(asked).toEqual([1]);
  fetchMore(observer.getCurrentResult());
  await expect.poll(() => asked).toEqual([1, 11]);
});

test("a list without visible pages is fetched as a whole", async () => {
  const { queryClient, asked } = await aDeepList();
  await later();

  await refetchAll(queryClient);

  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("the next page skips nobody where rows left the list (T-05)", async () => {
  const onServer = Array.from({ length: 100 }, (_, index) => index + 1);
  const fetch = async (number: number): Promise<TicketPage> => {
    const tickets = onServer.slice((number - 1) * 40, number * 40).map((id) => aTicket({ id }));
    return { tickets, count: onServer.length, hasMore: number * 40 < onServer.length };
  };
  let pages: TicketPage[] = [await fetchNext([], fetch)];
  const goOn = async () => {
    pages = [...pages, await fetchNext(pages, fetch)];
  };
  const shown = () => rowsOf(pages).rows.map(({ id }) => id);
  const leave = (ids: readonly number[]) => {
    onServer.splice(0, onServer.length, ...onServer.filter((id) => !ids.includes(id)));
    pages = pages.map((page) => ({ ...page, tickets: page.tickets.filter(({ id }) => !ids.includes(id)) }));
  };

  leave([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await goOn();
  await goOn();
  expect(shown()).toEqual(onServer.slice(0, 80));
  // all that was loaded
  leave(shown());
  await goOn();
  expect(shown()).toEqual(onServer);
});

test("a page that brought nothing new is followed by the next one (T-05)", async () => {
  const asked: number[] = [];
  const known = Array.from({ length: 39 }, (_, index) => aTicket({ id: index + 1 }));
  let pages: TicketPage[] = [{ tickets: known, count: 60, hasMore: true }];
  const fetch = async (number: number): Promise<TicketPage> => {
    asked.push(number);
    return { tickets: number < 3 ? known.slice(0, 5) : [aTicket({ id: 99 })], count: 60, hasMore: number < 3 };
  };
  for (let step = 0; step < 3; step += 1) {
    pages = [...pages, await fetchNext(pages, fetch)];
  }
  expect(asked).toEqual([1, 2, 3]);
});
