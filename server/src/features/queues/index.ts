export { allowAssistants } from "./assistants.ts";
export type { Assistants } from "./assistants.ts";
export type { TreeNode } from "./option-tree.ts";
export type { QueueOptionRow } from "./queue-options.queries.ts";
export { saveOptionFile, createOption, optionTreesOf } from "./queue-options.service.ts";
export { queueEvents } from "./queues.events.ts";
export {
  createQueue,
  getQueue,
  queuesOf,
  removeQueue,
  clearReferencesInQueues,
  updateQueue,
} from "./queues.service.ts";
