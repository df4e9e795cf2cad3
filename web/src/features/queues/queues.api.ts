import { queueOptions, type QueueOption } from "@prosa/contract/queue-options";
import { queues, type Queue } from "@prosa/contract/queues";
import type { BodyIn } from "@prosa/contract/endpoint";
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import type { RecordSource } from "#web/lib/records/resource.ts";
import type { Saved } from "#web/lib/records/resource.mutations.ts";
import { call } from "#web/lib/session/session.ts";
import { unpagedState } from "#web/lib/records/resource.unpaged.ts";
import type { MoveTarget } from "./option-tree.ts";
import { queuesOptions } from "./queues.lookup.ts";

export function useQueues() {
  return useQuery(queuesOptions);
}

/** Live updates of queues and of their options. */
export const queuesRealtime: RealtimeHandlers = {
  queue: (event, queryClient) => {
    if (event.action === "delete") {
      dropQueue(queryClient, event.queueId);
      return;
    }
    putQueue(queryClient, event.queue);
    void queryClient.invalidateQueries({ queryKey: treeOptions(event.queue.id).queryKey });
  },
};

function putQueue(queryClient: QueryClient, queue: Queue): void {
  queryClient.setQueryData(
    queuesOptions.queryKey,
    (cached) => cached && [...cached.filter(({ id }) => id !== queue.id), queue].toSorted(byOrder),
  );
}

function dropQueue(queryClient: QueryClient, id: number): void {
  queryClient.setQueryData(queuesOptions.queryKey, (cached) => cached?.filter((queue) => queue.id !== id));
}

function byOrder(one: Queue, other: Queue): number {
  return one.orderQueue - other.orderQueue || one.id - other.id;
}

/** Creates without an id, updates with one. */
export function useSaveQueue() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (saved: Saved<typeof queues.create, typeof queues.update>) =>
      saved.id === undefined
        ? callOnce(queues.create, { body: saved.body })
        : call(queues.update, { params: { id: saved.id }, body: saved.body }),
    onSuccess: (queue) => putQueue(queryClient, queue),
  });
}

function useRemoveQueue() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(queues.remove, { params: { id } }),
    onSuccess: (_, id) => dropQueue(queryClient, id),
  });
}

export const queuesResource: RecordSource<Queue> = {
  useList: () => unpagedState(useQueues()),
  useRemove: useRemoveQueue,
};

const treeOptions = (queueId: number) =>
  queryOptions({
    queryKey: ["queues", "options", queueId],
    queryFn: ({ signal }) => call(queueOptions.tree, { params: { id: queueId }, signal }),
  });

/** Every option of a queue, as a flat list. */
export function useOptions(queueId: number) {
  return useQuery(treeOptions(queueId));
}

export interface SaveOptionInput {
  readonly id: number | undefined;
  readonly body: BodyIn<typeof queueOptions.update>;
  /** Attaches a file; null removes it. */
  readonly file?: File | null;
  readonly onProgress?: (done: number) => void;
}

/** Creates without an id, updates with one. Fetches the tree again, because siblings change their positions too. */
export function useSaveOption(queueId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, body, file, onProgress }: SaveOptionInput) => {
      const saved =
        id === undefined
          ? await callOnce(queueOptions.create, { body: { title: "", ...body, queueId } })
          : await call(queueOptions.update, { params: { id }, body });
      return withFile(saved, file, onProgress);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: treeOptions(queueId).queryKey }),
  });
}

export interface OptionMove {
  readonly id: number;
  /** Where it goes in the tree as it is once the moves before it are made; undefined: it stays. */
  readonly targetIn: (options: readonly QueueOption[]) => MoveTarget | undefined;
}

/** Moves options one after another, each in the tree that the one before it has left: of two quick steps both count. */
export function useMoveOption(queueId: number) {
  const queryClient = useQueryClient();
  return useMutation(
    moveOptions(queryClient, queueId, (id, body) => call(queueOptions.update, { params: { id }, body })),
  );
}

export function moveOptions(
  queryClient: QueryClient,
  queueId: number,
  put: (id: number, target: MoveTarget) => Promise<unknown>,
) {
  const { queryKey } = treeOptions(queueId);
  return {
    scope: { id: `options-${queueId}` },
    mutationFn: async ({ id, targetIn }: OptionMove): Promise<{ readonly isMoved: boolean }> => {
      const target = targetIn(queryClient.getQueryData(queryKey) ?? []);
      if (target) {
        await put(id, target);
      }
      return { isMoved: target !== undefined };
    },
    // Returned: the next move waits for the tree as well.
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  };
}

export function useRemoveOption(queueId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(queueOptions.remove, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: treeOptions(queueId).queryKey }),
  });
}

async function withFile(
  saved: QueueOption,
  file: File | null | undefined,
  onProgress: ((done: number) => void) | undefined,
): Promise<QueueOption> {
  const params = { id: saved.id };
  if (file) {
    return call(queueOptions.upload, { params, files: [file], ...(onProgress && { onProgress }) });
  }
  return file === null && saved.mediaPath !== null ? call(queueOptions.removeMedia, { params }) : saved;
}
