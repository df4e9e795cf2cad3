import { expect, test } from "vitest";
import { keptPart, kindOf, surplus, type KeptRecord } from "./kept-queries.ts";

const DAY = 24 * 3_600_000;

function record(at: number, more: Partial<KeptRecord> = {}): KeptRecord {
  return { name: String(at), kind: "messages", at, bytes: 1_000, ...more };
}

test("conversations and lists are kept; searches and glances are not (Z-06)", () => {
  expect(kindOf(["tickets", "list", { searchParam: "" }])).toBe("desk");
  expect(kindOf(["tickets", "list", { searchParam: "maria" }])).toBeUndefined();
  expect(kindOf(["tickets", "one", "a-uuid"])).toBe("ticket");
  expect(kindOf(["messages", 7])).toBe("messages");
  expect(kindOf(["messages", 7, "peek"])).toBeUndefined();
  expect(kindOf(["messages", "edits", 7])).toBeUndefined();
  expect(kindOf(["contacts", "list", {}])).toBeUndefined();
});

test("of a long conversation the newest page is kept, to be fetched again", () => {
  const kept = keptPart({ pages: [{ rows: [3], asOf: 9 }, { rows: [1] }], pageParams: [undefined, 3] });
  expect(kept).toEqual({ pages: [{ rows: [3], asOf: -1 }], pageParams: [undefined] });
});

test("the oldest go first: after 30 conversations, seven days or ten megabytes", () => {
  const now = 100 * DAY;
  const many = Array.from({ length: 32 }, (_, index) => record(now - index));
  expect(surplus(many, now).map(({ at }) => at)).toEqual([now - 30, now - 31]);
  expect(surplus([record(now - 8 * DAY)], now)).toHaveLength(1);
  expect(surplus([record(now, { bytes: 9_000_000 }), record(now - 1, { bytes: 2_000_000 })], now)).toEqual([
    record(now - 1, { bytes: 2_000_000 }),
  ]);
});
