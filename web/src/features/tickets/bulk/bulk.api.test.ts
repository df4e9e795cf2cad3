import { expect, test } from "vitest";
import { mostFrequentRefusal } from "./bulk.api.ts";

test("of several refusals the most frequent code is given, with the count of all", () => {
  expect(
    mostFrequentRefusal([
      { ticketId: 1, outcome: "refused", code: "ERR_TICKET_TAKEN" },
      { ticketId: 2, outcome: "refused", code: "ERR_NO_PERMISSION" },
      { ticketId: 3, outcome: "done" },
      { ticketId: 4, outcome: "refused", code: "ERR_NO_PERMISSION" },
    ]),
  ).toEqual({ count: 3, code: "ERR_NO_PERMISSION" });
  expect(mostFrequentRefusal([{ ticketId: 1, outcome: "unchanged" }])).toBeUndefined();
});
