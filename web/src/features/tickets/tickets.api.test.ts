import { expect, test } from "vitest";
import { transferOf } from "./tickets.api.ts";

const nowhere = { queueId: null, userId: null, whatsappId: null };

test("a transfer to a person names no status, so that to oneself it is not taken for a late accept (T-14)", () => {
  expect(transferOf({ ...nowhere, userId: 7, note: " " })).toEqual({ userId: 7 });
  expect(transferOf({ ...nowhere, userId: 7, queueId: 3, whatsappId: 2, note: "Sigo eu" })).toEqual({
    userId: 7,
    queueId: 3,
    whatsappId: 2,
    note: "Sigo eu",
  });
});

test("a transfer to a queue makes the ticket wait there, without an owner (T-14)", () => {
  expect(transferOf({ ...nowhere, queueId: 3 })).toEqual({ userId: null, status: "pending", queueId: 3 });
});
