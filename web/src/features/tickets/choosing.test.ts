import { bulkMost } from "@prosa/contract/common";
import { expect, test } from "vitest";
import { refusalOf } from "./bulk.api.ts";
import { choose } from "./choosing.ts";

const rows = [10, 20, 30, 40, 50];

test("a click chooses a row and lets go of it; with Shift, all from the last one to it, both ways", () => {
  const one = choose({ ids: [], anchor: undefined }, rows, 20, false);
  expect(one.ids).toEqual([20]);
  const down = choose(one, rows, 40, true);
  expect(down.ids).toEqual([20, 30, 40]);
  expect(choose(down, rows, 10, true).ids).toEqual([20, 30, 40, 10]);
  expect(choose(down, rows, 30, false).ids).toEqual([20, 40]);
});

test("a range whose beginning has left the list is one row", () => {
  expect(choose({ ids: [99], anchor: 99 }, rows, 30, true).ids).toEqual([99, 30]);
});

test("no more are chosen than one action takes", () => {
  const many = Array.from({ length: 300 }, (_, index) => index);
  expect(choose({ ids: [0], anchor: 0 }, many, 299, true).ids).toHaveLength(bulkMost);
});

test("of several reasons the most frequent is told, with how many were refused in all", () => {
  expect(
    refusalOf([
      { ticketId: 1, outcome: "refused", code: "ERR_TICKET_TAKEN" },
      { ticketId: 2, outcome: "refused", code: "ERR_NO_PERMISSION" },
      { ticketId: 3, outcome: "done" },
      { ticketId: 4, outcome: "refused", code: "ERR_NO_PERMISSION" },
    ]),
  ).toEqual({ count: 3, code: "ERR_NO_PERMISSION" });
  expect(refusalOf([{ ticketId: 1, outcome: "unchanged" }])).toBeUndefined();
});
