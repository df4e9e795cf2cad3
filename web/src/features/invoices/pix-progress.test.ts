import { expect, test } from "vitest";
import { progressOf } from "./pix-progress.ts";

const payment = { method: "pix", value: 99.9, paidAt: "2026-11-20T12:00:00Z", reference: "E1" } as const;
const open = { status: "open", paidUntil: null, due: 99.9, payments: [] } as const;

test.each([
  ["nothing came", open, open, { state: "waiting" }],
  ["the first look is under way", undefined, open, { state: "waiting" }],
  [
    "it is paid",
    open,
    { ...open, status: "paid", paidUntil: "2026-12-20", due: 0, payments: [payment] } as const,
    { state: "paid", paidUntil: "2026-12-20" },
  ],
  [
    "it was paid before the first look",
    { ...open, status: "paid" } as const,
    { ...open, status: "paid" } as const,
    { state: "paid", paidUntil: null },
  ],
  ["it was cancelled", open, { ...open, status: "cancelled" } as const, { state: "cancelled" }],
  ["a debt became known", open, { ...open, due: 199.8 }, { state: "changed", arrived: 0, due: 199.8 }],
  [
    "the money filled a debt that became known",
    open,
    { ...open, payments: [payment] },
    { state: "changed", arrived: 99.9, due: 99.9 },
  ],
  [
    "a part that came before is asked for no more",
    { ...open, payments: [payment] },
    { ...open, payments: [payment] },
    { state: "waiting" },
  ],
])("a Pix whose invoice is looked at: %s (F-02, F-04)", (_, first, now, progress) => {
  expect(progressOf(first, now, false)).toEqual(progress);
});

test("a code that has expired is waited for no more, unless money came (F-02, F-04)", () => {
  expect(progressOf(open, open, true)).toEqual({ state: "expired" });
  expect(progressOf(undefined, undefined, true)).toEqual({ state: "expired" });
  const late = { ...open, payments: [payment] };
  expect(progressOf(open, late, true)).toEqual({ state: "changed", arrived: 99.9, due: 99.9 });
  expect(progressOf(open, { ...open, status: "paid" }, true)).toEqual({ state: "paid", paidUntil: null });
});
