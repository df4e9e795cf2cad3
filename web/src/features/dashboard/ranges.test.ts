import { expect, test } from "vitest";
import { choiceOf, choiceQuery, daysOf, rangeNames, readChoice } from "./ranges.ts";

const today = "2026-03-01";
const none = { days: 0, from: "", to: "", products: [] };
const read = (query: string) => readChoice(new URLSearchParams(query), today);

test.each([
  ["today", { days: 0, from: today, to: today }],
  ["yesterday", { days: 0, from: "2026-02-28", to: "2026-02-28" }],
  ["last7", { days: 7, from: "", to: "" }],
  ["last30", { days: 30, from: "", to: "" }],
  ["thisMonth", { days: 0, from: "2026-03-01", to: today }],
  ["lastMonth", { days: 0, from: "2026-02-01", to: "2026-02-28" }],
] as const)("the range %s is %j (D-01)", (range, days) => {
  expect(daysOf(range, today)).toEqual(days);
});

test("every choice is there again after a reload (D-01)", () => {
  const choices = [
    ...rangeNames.map((range) => ({ range, filter: { ...daysOf(range, today), products: [3, 4] } })),
    ...[
      { ...none, days: 90 },
      { ...none, from: "2026-01-10", to: "2026-01-20" },
      { ...none, to: "2026-01-20", products: [7] },
    ].map((filter) => choiceOf(filter, today)),
  ];
  for (const choice of choices) {
    expect(readChoice(new URLSearchParams(choiceQuery(choice)), today)).toEqual(choice);
  }
});

test("a product that was deleted is no filter any more, once it is known which there are (D-01)", () => {
  const search = new URLSearchParams("range=today&products=3,4");
  const productsOf = (known?: readonly { readonly id: number }[]) => readChoice(search, today, known).filter.products;
  expect([productsOf(), productsOf([{ id: 4 }]), productsOf([])]).toEqual([[3, 4], [4], []]);
});

test("a range is kept by its name: today is another day tomorrow (D-01)", () => {
  const query = new URLSearchParams(choiceQuery(read("range=today")));
  expect(readChoice(query, "2026-03-02").filter).toMatchObject({ from: "2026-03-02", to: "2026-03-02" });
});

test.each(["", "days=8", "days=0", "from=ontem", "from=2026-03-02&to=2026-03-01", "range=ever"])(
  "an address with %j shows this month (D-01)",
  (query) => {
    expect(read(query)).toEqual({ range: "thisMonth", filter: { ...none, from: "2026-03-01", to: today } });
  },
);

test("what the form is set to is the range with the same days (D-01)", () => {
  const midMonth = "2026-03-10";
  expect(choiceOf({ ...none, days: 7, from: "2020-01-01" }, midMonth).range).toBe("last7");
  expect(choiceOf({ ...none, from: "2026-03-01", to: midMonth }, midMonth).range).toBe("thisMonth");
  expect(choiceOf({ ...none, from: "2026-03-01", to: "2026-03-09" }, midMonth).range).toBeUndefined();
  expect(choiceOf({ ...none, days: 15 }, midMonth).range).toBeUndefined();
});
