import { prompts } from "@prosa/contract/prompts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createUnpagedResource } from "#web/lib/records/resource.unpaged.ts";

const key = "prompts";

/** Every prompt of the company (O-08). */
export const promptsResource = createUnpagedResource({
  key,
  list: prompts.list,
  rows: (answer) => answer.prompts,
  create: prompts.create,
  update: prompts.update,
  remove: prompts.remove,
});

/** Fetches again when a prompt changes, or a queue, whose name the list shows. */
export const promptsRealtime: RealtimeHandlers = {
  prompt: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
  queue: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
};
