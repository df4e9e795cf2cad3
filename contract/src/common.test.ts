import { expect, test } from "vitest";
import { connectionBody } from "./connections.ts";
import { changesOf } from "./common.ts";
import { queues } from "./queues.ts";
import { ticketFilter } from "./tickets.ts";

test("a change of one field leaves the others alone, defaults or not", () => {
  expect(queues.update.body?.parse({ name: "Vendas" })).toEqual({ name: "Vendas" });
  expect(changesOf(connectionBody).parse({ promptId: null })).toEqual({ promptId: null });
  expect(() => changesOf(connectionBody).parse({ name: "x" })).toThrow(/Too Short/);
});

// What PostgreSQL's int and date cannot hold is the caller's 400 and not our 500.
test.each([
  ["a queue", { queueIds: "[3000000000]" }],
  ["a user", { users: "[2147483648]" }],
  ["a day of a year that there never was", { date: "0000-01-01" }],
])("a filter by %s that the database cannot hold is refused (E-03)", (_name, query) => {
  expect(ticketFilter.safeParse(query).success).toBe(false);
  expect(ticketFilter.parse({ queueIds: "[0,7]", date: "2026-02-28" })).toMatchObject({ queueIds: [0, 7] });
});
