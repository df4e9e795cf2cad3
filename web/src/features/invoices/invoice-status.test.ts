import { expect, test } from "vitest";
import { shownStatus } from "./invoice-status.ts";

/** 23:30 of the 14th in São Paulo, the 15th in Lisbon. */
const now = Date.parse("2026-09-15T02:30:00Z");

test.each([
  ["paid", "2020-01-01", "America/Sao_Paulo", "paid"],
  ["cancelled", "2020-01-01", "America/Sao_Paulo", "cancelled"],
  ["open", "2026-09-13", "America/Sao_Paulo", "overdue"],
  ["open", "2026-09-14", "America/Sao_Paulo", "open"],
  ["open", "2026-09-14", "Europe/Lisbon", "overdue"],
  ["open", "2026-09-15", "Europe/Lisbon", "open"],
] as const)("an invoice that is %s and due on %s is, in %s, %s (F-01)", (status, dueDate, timeZone, shown) => {
  expect(shownStatus({ status, dueDate }, timeZone, now)).toBe(shown);
});
