import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { watchFetchRaces } from "#web/lib/realtime/fetchRaces.ts";
import { firstTimes } from "./first-time.ts";

test("a transfer that crosses two fetches is toasted once (T-14, N-05)", async () => {
  const queryClient = new QueryClient();
  const { note } = watchFetchRaces(queryClient);
  const isFirstTime = firstTimes();
  const toasts: string[] = [];
  const answers = ["lists", "counts"].map((key) => {
    const { promise, resolve } = Promise.withResolvers<string[]>();
    const done = queryClient.fetchQuery({ queryKey: [key], queryFn: () => promise });
    return { land: () => resolve([]), done };
  });
  const hear = () => isFirstTime("transfer.7.3") && toasts.push("transfer.7.3");

  hear();
  note(hear);
  for (const { land, done } of answers) {
    land();
    await done;
  }

  expect(toasts).toEqual(["transfer.7.3"]);
  expect(isFirstTime("transfer.7.4")).toBe(true);
});

test("what was heard long ago is forgotten", () => {
  const isFirstTime = firstTimes();
  const names = Array.from({ length: 101 }, (_, index) => String(index));
  expect(names.map(isFirstTime)).not.toContain(false);
  expect([isFirstTime("100"), isFirstTime("0")]).toEqual([false, true]);
});
