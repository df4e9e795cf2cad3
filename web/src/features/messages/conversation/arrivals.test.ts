import { expect, test } from "vitest";
import { aMessage } from "../../testing.ts";
import { arrivalsAfter } from "./arrivals.ts";

test("a screen reader is told of what the contact writes after the opening, not of own words or of older pages (M-01)", () => {
  const [older, newest] = [aMessage({ id: 1 }), aMessage({ id: 2 })];
  const [own, reply] = [aMessage({ id: 3, fromMe: true }), aMessage({ id: 4 })];
  expect(arrivalsAfter(newest, [newest])).toEqual([]);
  expect(arrivalsAfter(newest, [older, newest, own, reply])).toEqual([reply]);
  expect(arrivalsAfter(undefined, [reply])).toEqual([reply]);
});

test("of many that come at once the last five are told", () => {
  const burst = Array.from({ length: 12 }, (_, index) => aMessage({ id: index + 1 }));
  expect(arrivalsAfter(undefined, burst)).toEqual(burst.slice(-5));
});
