import { InfiniteQueryObserver, QueryClient, type InfiniteData } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { dropRow, nextPageOf, pollPages, putNewestFirst, putRow, type Page, type Row } from "./resource.ts";

interface Named extends Row {
  readonly name: string;
}
const ana = { id: 1, name: "Ana" };
const bia = { id: 2, name: "Bia" };
const caio = { id: 3, name: "Caio" };

function pages(...items: Named[][]): InfiniteData<Page<Named>, number> {
  const count = items.flat().length;
  return {
    pages: items.map((page, index) => ({ items: page, count, hasMore: index < items.length - 1 })),
    pageParams: items.map((_, index) => index + 1),
  };
}
const names = (data: InfiniteData<Page<Named>, number>) => data.pages.map(({ items }) => items.map(({ name }) => name));

test("a changed row is replaced in its position, on any page; an unknown one changes nothing", () => {
  const data = pages([ana], [bia]);

  expect(names(putRow(data, { id: 2, name: "Beatriz" }))).toEqual([["Ana"], ["Beatriz"]]);
  expect(putRow(data, caio)).toBe(data);
});

test("a list with the newest first gets a new row in its place, and every page's count grows", () => {
  const data = putNewestFirst(pages([caio], [ana]), bia);

  expect(names(data)).toEqual([["Caio"], ["Bia", "Ana"]]);
  expect(data.pages.map(({ count }) => count)).toEqual([3, 3]);
  expect(names(putNewestFirst(pages([bia], [ana]), caio))).toEqual([["Caio", "Bia"], ["Ana"]]);
  expect(names(putNewestFirst(pages([caio], [bia]), ana))).toEqual([["Caio"], ["Bia", "Ana"]]);
  expect(names(putNewestFirst(pages([]), ana))).toEqual([["Ana"]]);
});

test("an old row that is unknown is not added while its page is not fetched", () => {
  const data = { ...pages([bia]), pages: [{ items: [bia], count: 30, hasMore: true }] };

  expect(putNewestFirst(data, ana)).toBe(data);
});

test("the next page is asked for by its number, and again as many rows further up as are gone", () => {
  const after = (gone: number, pageNumber: number) =>
    nextPageOf<Named>(20)({ items: [], count: 90, hasMore: true, gone }, [], pageNumber);

  expect([after(0, 2), after(1, 2), after(20, 2), after(21, 2), after(90, 2)]).toEqual([3, 2, 2, 1, 1]);
  expect(nextPageOf<Named>(20)({ items: [], count: 0, hasMore: false }, [], 1)).toBeUndefined();
});

test("pages are fetched again every so often, but not while a next one that failed is told", async () => {
  let fails = false;
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const queryKey = ["calls"];
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey,
    queryFn: async ({ pageParam }): Promise<number> => {
      if (fails) {
        throw new Error("no answer");
      }
      return pageParam;
    },
    initialPageParam: 1,
    getNextPageParam: (last) => last + 1,
  });
  onTestFinished(observer.subscribe(() => undefined));
  const interval = () => pollPages(3_000)(queryClient.getQueryCache().find({ queryKey })!);
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
  expect(interval()).toBe(3_000);

  fails = true;
  await observer.refetch();
  expect(interval()).toBe(3_000);
  await observer.fetchNextPage();
  expect([observer.getCurrentResult().isFetchNextPageError, interval()]).toEqual([true, false]);
  fails = false;
  await observer.fetchNextPage();
  expect(interval()).toBe(3_000);
});

test("a deleted row lowers the count; an unknown one changes nothing", () => {
  const data = pages([ana], [bia]);

  expect(names(dropRow(data, 1))).toEqual([[], ["Bia"]]);
  expect(dropRow(data, 1).pages.map(({ count }) => count)).toEqual([1, 1]);
  expect(dropRow(data, 9)).toBe(data);
});
