import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { refetchAll } from "./refetchAll.ts";

const queryKey = ["names"];

/** A screen that shows names, and what its fetches are answered. */
function aScreen(queryClient: QueryClient) {
  const answers: ((names: string[] | Error) => void)[] = [];
  const queryFn = () =>
    new Promise<string[]>((resolve, reject) => {
      answers.push((names) => (names instanceof Error ? reject(names) : resolve(names)));
    });
  const observer = new QueryObserver<string[]>(queryClient, { queryKey, queryFn, retry: false, staleTime: Infinity });
  return { answers, leave: observer.subscribe(() => undefined), shown: () => observer.getCurrentResult().data };
}

test("what a first fetch read before the line was live is fetched again when it has landed (N-05)", async () => {
  const queryClient = new QueryClient();
  const { answers, shown, leave } = aScreen(queryClient);

  const done = refetchAll(queryClient);
  expect(answers).toHaveLength(1);
  answers[0]!(["Ana"]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!(["Ana", "Bia"]);
  await done;

  expect(shown()).toEqual(["Ana", "Bia"]);
  leave();
});

test("a first fetch that failed is tried again too", async () => {
  const queryClient = new QueryClient();
  const { answers, shown, leave } = aScreen(queryClient);

  const done = refetchAll(queryClient);
  answers[0]!(new Error("the network was away"));
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!(["Ana"]);
  await done;

  expect(shown()).toEqual(["Ana"]);
  leave();
});

test("what has data is fetched again at once, and only once", async () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(queryKey, ["Ana"]);
  const { answers, shown, leave } = aScreen(queryClient);

  const done = refetchAll(queryClient);
  expect(answers).toHaveLength(1);
  answers[0]!(["Bia"]);
  await done;

  expect(answers).toHaveLength(1);
  expect(shown()).toEqual(["Bia"]);
  leave();
});
