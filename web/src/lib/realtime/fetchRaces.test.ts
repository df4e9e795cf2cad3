import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { watchFetchRaces } from "./fetchRaces.ts";

const queryKey = ["names"];

function aFetch(queryClient: QueryClient) {
  let land: (names: string[]) => void = () => undefined;
  const answer = new Promise<string[]>((resolve) => {
    land = resolve;
  });
  const done = queryClient.fetchQuery({ queryKey, queryFn: () => answer });
  return { land, done };
}

const put = (queryClient: QueryClient, name: string) => () =>
  queryClient.setQueryData<string[]>(queryKey, (names = []) => (names.includes(name) ? names : [...names, name]));

test("an event that crosses a fetch is not lost when the older answer lands (N-05)", async () => {
  const queryClient = new QueryClient();
  const { note } = watchFetchRaces(queryClient);
  queryClient.setQueryData(queryKey, ["Ana"]);
  const { land, done } = aFetch(queryClient);

  const tell = put(queryClient, "Bia");
  tell();
  note(tell);
  land(["Ana"]);
  await done;

  expect(queryClient.getQueryData(queryKey)).toEqual(["Ana", "Bia"]);
});

test("events that crossed are told in their order, each once for each fetch", async () => {
  const queryClient = new QueryClient();
  const { note } = watchFetchRaces(queryClient);
  const told: number[] = [];
  const { land, done } = aFetch(queryClient);
  [1, 2, 3].forEach((each) => note(() => told.push(each)));

  land([]);
  await done;
  queryClient.setQueryData(queryKey, ["Ana"]);

  expect(told).toEqual([1, 2, 3]);
});

test("without a fetch on its way nothing is kept", () => {
  const queryClient = new QueryClient();
  const { note } = watchFetchRaces(queryClient);
  const told: number[] = [];

  note(() => told.push(1));
  queryClient.setQueryData(queryKey, ["Ana"]);

  expect(told).toEqual([]);
});
