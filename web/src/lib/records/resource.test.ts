import type { InfiniteData } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { dropRow, putRow, type Page, type Row } from "./resource.ts";

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

test("a changed row is replaced in its position, on any page", () => {
  expect(names(putRow(pages([ana], [bia]), { id: 2, name: "Beatriz" }, true, "first"))).toEqual([["Ana"], ["Beatriz"]]);
});

test("a new row is added at the edge, and every page's count grows", () => {
  const data = putRow(pages([ana], [bia]), caio, false, "first");

  expect(names(data)).toEqual([["Caio", "Ana"], ["Bia"]]);
  expect(data.pages.map(({ count }) => count)).toEqual([3, 3]);
  expect(names(putRow(pages([ana], [bia]), caio, false, "last"))).toEqual([["Ana"], ["Bia", "Caio"]]);
});

test("a new row is not added to a filtered list, which it may not match", () => {
  const data = pages([ana]);

  expect(putRow(data, caio, true, "first")).toBe(data);
});

test("a new last row is not added while later pages are not fetched", () => {
  const data = { ...pages([ana]), pages: [{ items: [ana], count: 30, hasMore: true }] };

  expect(putRow(data, caio, false, "last")).toBe(data);
});

test("a deleted row lowers the count; an unknown one changes nothing", () => {
  const data = pages([ana], [bia]);

  expect(names(dropRow(data, 1))).toEqual([[], ["Bia"]]);
  expect(dropRow(data, 1).pages.map(({ count }) => count)).toEqual([1, 1]);
  expect(dropRow(data, 9)).toBe(data);
});
