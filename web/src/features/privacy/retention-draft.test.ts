import { expect, test } from "vitest";
import { savableChanges } from "./retention-draft.ts";

const sales = { id: 3, name: "Vendas", days: 90 };
const retention = { companyDays: 30, queues: [sales] };

test("the days of the company are sent only where they were changed here (V-02)", () => {
  expect(savableChanges({}, retention)).toEqual({});
  expect(savableChanges({ queues: [{ id: 3, days: 60 }] }, retention)).toEqual({ queues: [{ id: 3, days: 60 }] });
  expect(savableChanges({ companyDays: null }, retention)).toEqual({ companyDays: null });
});

test("a queue that a colleague deleted meanwhile does not keep the others from being saved (V-02)", () => {
  const draft = {
    queues: [
      { id: 3, days: 60 },
      { id: 4, days: 10 },
    ],
  };
  expect(savableChanges(draft, retention)).toEqual({ queues: [{ id: 3, days: 60 }] });
});
