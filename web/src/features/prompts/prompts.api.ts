import { prompts } from "@prosa/contract/prompts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createUnpagedResource } from "#web/lib/records/resource.unpaged.ts";

export const promptsKey = "prompts";

/** Every prompt of the company (O-08). */
export const promptsResource = createUnpagedResource({
  key: promptsKey,
  list: prompts.list,
  rows: (answer) => answer.prompts,
  create: prompts.create,
  update: prompts.update,
  remove: prompts.remove,
});

/** Fetches again when a prompt changes, or a queue, whose name the list shows. */
export const promptsRealtime: RealtimeHandlers = {
  prompt: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [promptsKey] }),
  queue: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [promptsKey] }),
};
