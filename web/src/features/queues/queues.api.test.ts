import type { QueueOption } from "@prosa/contract/queue-options";
import { MutationObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { childrenOf, stepTarget } from "./option-tree.ts";
import { moveOptions } from "./queues.api.ts";

/** Three options of one level on a server that answers when it is told to. */
function aTree() {
  let level = [1, 2, 3];
  const read = () => level.map((id, position) => ({ id, parentId: null, position }) as QueueOption);
  const queryClient = new QueryClient();
  const queryKey = ["queues", "options", 7];
  new QueryObserver(queryClient, { queryKey, queryFn: read, initialData: read, staleTime: Infinity }).subscribe(
    () => undefined,
  );
  const answers: (() => void)[] = [];
  const moves = moveOptions(queryClient, 7, async (id, { position }) => {
    await new Promise<void>((answer) => answers.push(answer));
    level = level.filter((each) => each !== id).toSpliced(position, 0, id);
  });
  return {
    stepUp: (id: number) =>
      new MutationObserver(queryClient, moves).mutate({ id, targetIn: (latest) => stepTarget(latest, id, "up") }),
    answer: async () => {
      await expect.poll(() => answers.length).toBe(1);
      answers.shift()?.();
    },
    shown: () => childrenOf(queryClient.getQueryData(queryKey) ?? [], null).map(({ id }) => id),
  };
}

test("two quick steps of an option are two steps, also over a slow network (Q-02, Z-03)", async () => {
  const { stepUp, answer, shown } = aTree();
  const steps = [stepUp(3), stepUp(3), stepUp(3)];
  await answer();
  await answer();
  await Promise.all(steps);
  expect(shown()).toEqual([3, 1, 2]);
});
