import type { InfiniteData } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { dropRow, nextPageOf, putNewestFirst, putRow, type Page, type Row } from "./resource.ts";

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

test("a deleted row lowers the count; an unknown one changes nothing", () => {
  const data = pages([ana], [bia]);

  expect(names(dropRow(data, 1))).toEqual([[], ["Bia"]]);
  expect(dropRow(data, 1).pages.map(({ count }) => count)).toEqual([1, 1]);
  expect(dropRow(data, 9)).toBe(data);
});
